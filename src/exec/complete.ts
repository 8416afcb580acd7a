import { execFile } from "node:child_process";
import { findShell } from "./shell.ts";

/** bash's words for a text that ends too soon, in the C locale. */
const TOO_SHORT = /unexpected end of file|unexpected EOF|here-document at line \d+ delimited by end-of-file/;
/** The same text with more behind it would go on in the same line. */
const CONTINUED = /(?:^|[^\\])(?:\\\\)*\\\n?$/;

/** Whether bash would run a text as it is, or say that it is wrong, and not wait for more lines. Runs nothing. */
export function isComplete(text: string): Promise<boolean> {
  if (CONTINUED.test(text)) return Promise.resolve(false);
  const shell = findShell();
  // What is missing is said when the text is to run.
  if (shell.kind === "missing") return Promise.resolve(true);
  const argv = ["--noprofile", "--norc", "-n", "-c", "--", text];
  return new Promise((done) => {
    // -n reads and does not run; no start-up file or function is in this environment.
    execFile(
      shell.path,
      argv,
      { env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, timeout: 5_000 },
      (_error, _out, stderr) => {
        done(!TOO_SHORT.test(stderr));
      },
    );
  });
}
