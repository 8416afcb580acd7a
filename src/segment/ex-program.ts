import type { ProgramText } from "./languages.ts";

/**
 * What commands for ed and for ex (`vim -c`) run, read and write: `!cmd`, `r !cmd`, `w !cmd`, `w f`, `r f`, `e f` and their kin, behind
 * a range, and `system('cmd')` in an expression.
 */
export function exProgram(text: string): ProgramText {
  const commands: string[] = [];
  const files: ProgramText["files"][number][] = [];
  for (const line of text.split("\n")) {
    for (const part of partsOf(line)) readCommand(part, commands, files);
    for (const [, , command = ""] of line.matchAll(/\bsystem(?:list)?\s*\(\s*(['"])(.*?)\1/g)) commands.push(command);
  }
  return { escapes: [], files, commands };
}

/** `e f | w g`: what stands behind a bar is a command as well, unless the shell is given it. */
function partsOf(line: string): readonly string[] {
  const shell = line.indexOf("!");
  const own = shell < 0 ? line : line.slice(0, shell);
  const parts = own.split("|");
  return shell < 0 ? parts : [...parts.slice(0, -1), `${parts.at(-1) ?? ""}${line.slice(shell)}`];
}

// A range, then what only says how the command behind it runs: `:silent! 1,$w f`.
const START =
  /^[\s:]*(?:(?:sil(?:ent)?!?|noa(?:utocmd)?|keepalt|bufdo|argdo|windo|exe(?:cute)?)\s+['"]?)*[\s:]*(?:%|[\d.$,;+'/<>?-]|g\/[^/]*\/)*\s*/;
const WRITES =
  /^(?:wq?|write|w(?:n|N)|sav(?:eas)?|up(?:date)?|x(?:it)?|W|wv(?:iminfo)?|mks(?:ession)?|mkv(?:imrc)?|mkexrc|mk|redir?|wundo|hardcopy)!?(?:\s+(?:>>?\s*)?|>+\s*)(\S.*)$/;
const READS =
  /^(?:r(?:ead)?|e(?:dit)?|E|ene|vi(?:ew|sual)?|sp(?:lit)?|vs(?:plit)?|tabe(?:dit)?|new|so(?:urce)?|ru(?:ntime)?|f(?:ile)?|find|badd|argadd|luaf(?:ile)?|pyf(?:ile)?|py3f(?:ile)?|rv(?:iminfo)?|ld)!?\s+(\S.*)$/;

function readCommand(text: string, commands: string[], files: ProgramText["files"][number][]): void {
  const command = text.replace(START, "");
  const run = /^(?:(?:r(?:ead)?|w(?:rite)?|e(?:dit)?|E)!?\s*)?!(.*)$/.exec(command)?.[1];
  const started = /^ter(?:m(?:inal)?)?\s+(?:\+\+\S+\s+)*(.+)$/.exec(command)?.[1];
  if (run !== undefined || started !== undefined) {
    commands.push(run ?? started ?? "");
    // `w! f` writes f for vim.
    if (!/^\w+! /.test(command)) return;
  }
  const written = WRITES.exec(command)?.[1];
  const read = READS.exec(command)?.[1];
  if (written !== undefined) files.push({ access: "write", path: written.trim() });
  if (read !== undefined) files.push({ access: "read", path: read.trim() });
}
