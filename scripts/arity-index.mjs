// Writes arity/index.txt: which names a file describes. `node scripts/arity-index.mjs`
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const arity = resolve(import.meta.dirname, "../arity");

/** A line for each file of a folder: its path without the extension, then its names. A name in two files is an error. */
function linesOf(folder, root) {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".json"));
  const fileByName = new Map();
  return files.sort().map((file) => {
    const { names } = JSON.parse(readFileSync(join(root, folder, file), "utf8"));
    for (const name of names) {
      const other = fileByName.get(name);
      if (other !== undefined) throw new Error(`${folder}: both ${other} and ${file} describe ${name}`);
      fileByName.set(name, file);
    }
    return [`${folder}/${file.slice(0, -".json".length)}`, ...names].join(" ");
  });
}

/** The text of index.txt. It is searched and not parsed, so that one look-up costs next to nothing. */
export function indexText(root = arity) {
  return `${[...linesOf("curated", root), ...linesOf("generated", root)].join("\n")}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(arity, "index.txt"), indexText());
