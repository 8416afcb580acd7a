import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Place } from "./place.ts";

const root = join(import.meta.dirname, "../..");
const external = [
  /^node:/,
  "@lydell/node-pty",
  "libsql",
  /^@modelcontextprotocol\/sdk/,
  /^zod/,
  "@clack/prompts",
  "execa",
];

/** A build of the command line that no other test removes. */
export interface Cli {
  /** What is run with Node. */
  readonly file: string;
  readonly start: (place: Place, args: readonly string[], options?: StartOptions) => Started;
  readonly remove: () => void;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Keep standard input open for lines. */
  readonly input?: true;
}

export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds the command line beside `dist`, so that it finds the dictionary and its packages. */
export async function buildCli(name: string): Promise<Cli> {
  const folder = join(root, `.dist-${name}-${process.pid}`);
  const build = await rolldown({
    input: { cli: join(root, "src/cli/main.ts") },
    external,
    platform: "node",
    cwd: root,
    resolve: { mainFields: ["module", "main"] },
    logLevel: "silent",
  });
  await build.write({
    dir: folder,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunk-[name]-[hash].cjs",
  });
  await build.close();
  const file = join(folder, "guarded-sh.cjs");
  writeFileSync(
    file,
    `const { main, ownTerminal } = require("./cli.cjs");\nmain(process.argv.slice(2), ownTerminal()).then((status) => { process.exitCode = status; });\n`,
  );
  return {
    file,
    start: (place, args, options) => start(file, place, args, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(file: string, place: Place, args: readonly string[], options: StartOptions = {}): Started {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: options.cwd ?? place.project,
    env: { ...place.env, ...options.env },
    stdio: [options.input ? "pipe" : "ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, done };
}
