import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where the compiled builtin is, or why there is none on this machine. */
export type Builtin =
  | { readonly kind: "built"; readonly path: string }
  | { readonly kind: "missing"; readonly why: string };

const SOURCE = resolve(import.meta.dirname, "reveal.c");
const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/oracle");
/** Where Debian's `bash-builtins` puts the headers of bash and of its loadable builtins. */
const HEADERS = "/usr/include/bash";
const INCLUDES = [HEADERS, `${HEADERS}/include`, `${HEADERS}/builtins`, "/usr/lib/bash"];
const FLAGS = ["-O1", "-fPIC", "-shared", "-Wall", "-Wno-parentheses", "-Wno-unused-parameter"];

/** The builtin that reveals bash's own reading of a text, compiled for this machine's bash unless that was done before. */
export function buildReveal(): Builtin {
  const bash = outputOf("/bin/bash", ["-c", "echo $BASH_VERSION $MACHTYPE"]);
  if (bash === undefined) return missing("there is no /bin/bash");
  if (!existsSync(`${HEADERS}/execute_cmd.h`)) return missing("bash's headers are missing: install bash-builtins");
  const headers = versionOf(outputOf("cat", ["/usr/lib/pkgconfig/bash.pc"]) ?? "");
  if (headers !== versionOf(bash)) return missing(`bash is ${versionOf(bash)}, its headers are of ${headers}`);
  const path = join(CACHE, `reveal-${digest(bash + readFileSync(SOURCE, "utf8"))}.so`);
  return existsSync(path) ? { kind: "built", path } : compile(path);
}

function compile(path: string): Builtin {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const includes = INCLUDES.map((folder) => `-I${folder}`);
  const compiler = spawnSync("gcc", [...FLAGS, "-o", unfinished, ...includes, SOURCE], { encoding: "utf8" });
  if (compiler.error !== undefined) return missing("there is no gcc");
  if (compiler.status !== 0) return missing(`gcc failed: ${compiler.stderr.slice(0, 2000)}`);
  renameSync(unfinished, path); // two test files may build at the same time
  return { kind: "built", path };
}

function missing(why: string): Builtin {
  return { kind: "missing", why };
}

function outputOf(program: string, words: readonly string[]): string | undefined {
  const run = spawnSync(program, words, { encoding: "utf8" });
  return run.status === 0 ? run.stdout : undefined;
}

function versionOf(text: string): string {
  return /\d+\.\d+/.exec(text)?.[0] ?? "unknown";
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
