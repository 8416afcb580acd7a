import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** One fenced block of a page: its language, the name behind it, and its lines. */
export interface Block {
  readonly language: string;
  readonly name: string;
  readonly lines: readonly string[];
  readonly line: number;
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; name: string; lines: string[]; line: number } | undefined;
  readFileSync(page, "utf8")
    .split("\n")
    .forEach((text, i) => {
      const fence = /^```(\S*)\s*(\S*)/.exec(text);
      if (fence === null) open?.lines.push(text);
      else if (open === undefined) open = { language: fence[1] ?? "", name: fence[2] ?? "", lines: [], line: i + 1 };
      else {
        blocks.push(open);
        open = undefined;
      }
    });
  return blocks;
}

/** A folder in which `guarded-sh` is on PATH and the page's files lie. */
export function makeStage(blocks: readonly Block[]): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "docs-"));
  if (!existsSync(join(root, "dist/cli.cjs"))) execFileSync(process.execPath, [join(root, "scripts/build.mjs")]);
  writeFileSync(
    join(folder, "guarded-sh"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, "bin/guarded-sh.js")}' "$@"\n`,
  );
  chmodSync(join(folder, "guarded-sh"), 0o755);
  for (const { name, lines } of blocks)
    if (/^[\w.-]+$/.test(name)) writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs the `$ ` lines of a console block and gives it back as it would have to be written. */
export function replay(block: Block, folder: string): string[] {
  return block.lines
    .filter((line) => line.startsWith("$ "))
    .flatMap((line) => {
      const env = {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, "none"),
        LC_ALL: "C.UTF-8",
      };
      const { stdout, stderr } = spawnSync("bash", ["-c", line.slice(2)], { cwd: folder, encoding: "utf8", env });
      const output = `${stdout}${stderr}`.trimEnd();
      return output === "" ? [line] : [line, ...output.split("\n")];
    });
}
