import { execFile } from "node:child_process";
import { findShell } from "./shell.ts";

/** What the bash that runs the texts says of its version; a line that says so when there is none. */
export function shellBanner(): Promise<string> {
  const shell = findShell();
  if (shell.kind === "missing") return Promise.resolve(`GNU bash, not found: ${shell.message}`);
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C" };
  return new Promise((done) => {
    execFile(shell.path, ["--noprofile", "--norc", "--version"], { env, timeout: 5_000 }, (error, stdout) => {
      done(error === null && stdout.startsWith("GNU bash") ? stdout : "GNU bash, version unknown");
    });
  });
}
