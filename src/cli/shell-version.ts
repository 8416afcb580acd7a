import { shellBanner } from "../guard.ts";
import { packageVersion } from "./package.ts";

/** What `--version` says to whoever asks a shell: the bash that runs the texts, and who judges them. */
export async function shellVersion(): Promise<string> {
  const banner = await shellBanner();
  const [first = "", ...rest] = banner.split("\n");
  return [`${first} (guarded-sh ${packageVersion()})`, ...rest].join("\n").trimEnd();
}

/** What `--help` says under a shell's name. */
export function shellHelp(): string {
  return [
    "guarded-sh in the place of bash: every command is judged by your rules before any of it runs",
    "",
    "usage: bash [OPTIONS] -c TEXT [NAME ARGS…]",
    "       bash [OPTIONS] FILE [ARGS…]",
    "       bash [OPTIONS] [-s [ARGS…]] < TEXT",
    "",
    "-e, -u, -x, -o NAME and their kin are passed to bash; -l is accepted, but no profile is read;",
    "options that change how a text is read are refused (-i, -k, --posix, --rcfile, -O extglob …)",
    "",
    "exit status: the text's own; 125 guarded-sh failed, 126 denied or rejected: nothing was run",
  ].join("\n");
}
