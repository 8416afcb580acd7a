// Writes arity/index.json: which file describes a name. `node scripts/arity-index.mjs`
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const arity = resolve(import.meta.dirname, "../arity");

/** The names of all files of a folder, each with its file; a name that two files claim is an error. */
export function namesOf(folder, root = arity) {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".json"));
  const fileByName = new Map();
  for (const file of files.sort()) {
    const stem = file.slice(0, -".json".length);
    for (const name of JSON.parse(readFileSync(join(root, folder, file), "utf8")).names) {
      const other = fileByName.get(name);
      if (other !== undefined) throw new Error(`${folder}: both ${other}.json and ${stem}.json describe ${name}`);
      fileByName.set(name, stem);
    }
  }
  return [...fileByName].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The text of index.json: one name a line, so that a difference shows which one changed. */
export function indexText(root = arity) {
  const section = (folder) => {
    const rows = namesOf(folder, root).map(([name, stem]) => `${JSON.stringify(name)}:${JSON.stringify(stem)}`);
    return `${JSON.stringify(folder)}:{\n${rows.join(",\n")}\n}`;
  };
  return `{${section("curated")},\n${section("generated")}}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(arity, "index.json"), indexText());
