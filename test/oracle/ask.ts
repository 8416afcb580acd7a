import { spawn, spawnSync } from "node:child_process";
import { answerOf, type BashAnswer, type Revealed } from "./answer.ts";

const ENVIRONMENT = ["/usr/bin/env", "-i", "LC_ALL=C.UTF-8", "PATH=/nonexistent", "HOME=/nonexistent"];
const SHELL = [...ENVIRONMENT, "/bin/bash", "--norc", "--noprofile", "-c"];
/** Nothing is run and nothing opened for writing; the bubble makes that sure where there is one. */
const BUBBLE = [
  "bwrap",
  "--unshare-all",
  "--die-with-parent",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
];

/**
 * What bash makes of each text, in the order of the texts. `builtin` is the compiled reveal.c. Rejects when bash
 * does not answer for every text; a text must not contain a NUL character.
 */
export async function askBash(texts: readonly string[], builtin: string, processes = 2): Promise<BashAnswer[]> {
  const share = Math.max(1, Math.ceil(texts.length / processes));
  const shares = Array.from({ length: processes }, (_, i) => texts.slice(i * share, (i + 1) * share));
  return (await Promise.all(shares.filter((some) => some.length > 0).map((some) => askOne(some, builtin)))).flat();
}

async function askOne(texts: readonly string[], builtin: string): Promise<BashAnswer[]> {
  const [program = "", ...words] = [...bubble(), ...SHELL, 'enable -f "$0" reveal && reveal', builtin];
  const child = spawn(program, words, { cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  child.stdin.on("error", () => {}); // a shell that ended early is reported below
  child.stdin.end(texts.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(""));
  await new Promise((done) => child.on("close", done));
  const lines = out.split("\n").filter((line) => line !== "");
  if (lines.length !== texts.length)
    throw new Error(`bash answered ${lines.length} of ${texts.length} texts: ${errors.slice(0, 500)}`);
  return lines.map((line) => answerOf(JSON.parse(line) as Revealed));
}

function bubble(): readonly string[] {
  const [program = "", ...words] = BUBBLE;
  return spawnSync(program, [...words, "/bin/true"]).status === 0 ? BUBBLE : [];
}
