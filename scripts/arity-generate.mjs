// Writes arity/generated/*.json from the completion specs of @withfig/autocomplete: names, verbs, which options take how
// many values, which words are commands. `npm run arity:generate`; with an argument, into that folder.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const specs = join(root, "node_modules/@withfig/autocomplete/build");
const target = process.argv[2] ?? join(root, "arity/generated");

/** No file is larger; what is pruned first is what is worth least. */
const MAX_BYTES = 10_000;
/** Two specs of that many characters that are alike are of one program. */
const LONG = 2_000;
/** Verbs below this depth are left to the number of words. */
const MAX_DEPTH = 5;
/** Words of the shell's grammar and names that say nothing. */
const NO_PROGRAMS = new Set(["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "for", "case", "-"]);

/** The text of every generated file by its name, in the order of names. */
async function generate() {
  const bodies = new Map();
  const sources = specFiles();
  const stems = new Set(sources.map(({ stem }) => stem));
  for (const { stem, file } of sources) {
    const spec = await load(file);
    if (spec === undefined || !isProgram(stem)) continue;
    // One program under several names (`gcc` and `g++`) is one entry.
    const body = JSON.stringify(await commandOf(spec, 0));
    const key = body.length < LONG ? `${stem} ${body}` : body;
    const known = bodies.get(key);
    bodies.set(key, { body, names: [...(known?.names ?? []), ...namesOf(spec, stem, stems)] });
  }
  const texts = [...bodies.values()].map(({ body, names }) => [
    `${names[0]}.json`,
    fittingText({ names: [...new Set(names)], ...JSON.parse(body) }),
  ]);
  return new Map(texts.sort(([a], [b]) => compare(a, b)));
}

/** Every program's spec; of those kept by version, the newest one. */
function specFiles() {
  const single = readdirSync(specs).filter((name) => name.endsWith(".js") && name !== "index.js");
  const sources = single.map((name) => name.slice(0, -".js".length)).map((stem) => ({ stem, file: stem }));
  for (const { name: stem } of readdirSync(specs, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const versions = readdirSync(join(specs, stem)).filter((name) => /^[0-9.]+\.js$/.test(name));
    const newest = versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
    if (newest !== undefined) sources.push({ stem, file: `${stem}/${newest.slice(0, -".js".length)}` });
  }
  return sources.sort((a, b) => compare(a.stem, b.stem));
}

/** A spec's own names; some say another name than the one the program is called by, which is the file's. */
function namesOf(spec, stem, stems) {
  const own = listOf(spec.name);
  if (!own.some((name) => name.toLowerCase() === stem)) return [stem];
  return [...new Set(own.filter((name) => isProgram(name) && (name === stem || !stems.has(name))))];
}

/** Some specs ask the machine what they are; those are left out. */
async function load(file) {
  const module = await import(pathToFileURL(join(specs, `${file}.js`)).href);
  return typeof module.default === "object" ? module.default : undefined;
}

async function commandOf(given, depth) {
  const spec = await loaded(given);
  const directives = spec.parserDirectives ?? {};
  return {
    ...(depth === 0 && { syntax: directives.flagsArePosixNoncompliant ? "go" : "plain" }),
    ...present("options", optionsOf(spec)),
    ...present("operands", operandsOf(spec)),
    ...present("verbs", depth < MAX_DEPTH ? await verbsOf(spec, depth) : {}),
  };
}

/** A part of a large spec lies in a file of its own; another program's spec is not followed. */
async function loaded(spec) {
  if (typeof spec.loadSpec !== "string" || !spec.loadSpec.includes("/")) return spec;
  try {
    return { ...(await load(spec.loadSpec)), name: spec.name };
  } catch {
    return spec;
  }
}

function optionsOf(spec) {
  const options = new Map();
  const taken = new Set();
  for (const option of spec.options ?? []) {
    const spellings = listOf(option.name)
      .map((name) => name.replace(/=$/, ""))
      .filter((name) => /^-[^\s,]*[^\s,-][^\s,]*$/.test(name) && !taken.has(name));
    if (spellings.length === 0) continue;
    for (const spelling of spellings) taken.add(spelling);
    const value = facts(option, spellings);
    // A long flag without another spelling is read the same when nobody knows it.
    if (value !== 0 || spellings.length > 1 || !spellings[0].startsWith("--")) options.set(keyOf(spellings), value);
  }
  return sorted(options);
}

/** The canonical spelling, the first long one, comes last. */
function keyOf(spellings) {
  const long = spellings.find((spelling) => spelling.startsWith("--")) ?? spellings.at(-1);
  const others = spellings.filter((spelling) => spelling !== long);
  return [...others.sort((a, b) => a.length - b.length || compare(a, b)), long].join(", ");
}

function facts(option, spellings) {
  const args = listOf(option.args);
  const needed = args.findIndex((arg) => arg.isOptional);
  const count = Math.min(3, needed < 0 ? args.length : needed);
  if (args.some((arg) => arg.isCommand || arg.isScript || arg.isModule)) return count === 0 ? 0 : "code";
  const glued = args.length > 0 && (count === 0 || option.requiresSeparator || option.requiresEquals);
  if (!glued) return count;
  // `--name=value` is read so without being told; only letters need to know.
  return spellings.every((spelling) => spelling.startsWith("--")) ? 0 : { value: "text", glued: true };
}

/** Only where an inner command or a program text begins, and only when what stands before it is sure. */
function operandsOf(spec) {
  const args = listOf(spec.args);
  const at = args.findIndex((arg) => arg.isCommand || arg.isScript);
  if (at < 0 || args.slice(0, at).some((arg) => arg.isOptional || arg.isVariadic)) return [];
  return [...args.slice(0, at).map(() => "text"), args[at].isCommand ? "command" : "code-file"];
}

async function verbsOf(spec, depth) {
  const verbs = new Map();
  for (const verb of spec.subcommands ?? []) {
    const names = listOf(verb.name).filter((name) => /^[A-Za-z0-9@+][^\s,]*$/.test(name) && !verbs.has(name));
    const [first, ...others] = names;
    if (first === undefined) continue;
    verbs.set(first, await commandOf(verb, depth + 1));
    for (const name of others) verbs.set(name, first);
  }
  return sorted(verbs);
}

/** Prunes from the leaves until the file is small enough. */
function fittingText(entry) {
  let text = textOf(entry);
  for (const prune of PRUNINGS) {
    if (text.length <= MAX_BYTES) break;
    entry = pruned(entry, 0, prune);
    text = textOf(entry);
  }
  return text;
}

const isFlag = (value) => value === 0;

/** What may go, in order: `option` says which options of verbs at a depth go, `verbs` how deep the tree stays. */
const PRUNINGS = [
  { option: (_key, value, depth) => depth > 1 && isFlag(value) },
  { option: (_key, value, depth) => depth > 0 && isFlag(value) },
  { option: (_key, _value, depth) => depth > 2 },
  { option: (_key, _value, depth) => depth > 1 },
  { option: (_key, _value, depth) => depth > 0 },
  { option: () => false, verbs: 3 },
  { option: () => false, verbs: 2 },
  { option: () => false, verbs: 1 },
];

function pruned(spec, depth, prune) {
  const result = { ...spec };
  const options = Object.entries(spec.options ?? {}).filter(([key, value]) => !prune.option(key, value, depth));
  delete result.options;
  Object.assign(result, present("options", Object.fromEntries(options)));
  if (spec.verbs === undefined) return result;
  if (depth >= (prune.verbs ?? MAX_DEPTH)) {
    delete result.verbs;
    return { ...result, words: depth + 2 };
  }
  const verbs = Object.entries(spec.verbs).map(([name, verb]) => [
    name,
    typeof verb === "string" ? verb : pruned(verb, depth + 1, prune),
  ]);
  return { ...result, verbs: Object.fromEntries(verbs) };
}

/** One line a top-level field and a verb, so that a difference shows what changed. */
function textOf({ names, words, syntax, options, operands, verbs }) {
  const lines = Object.entries({ names, words, syntax, options, operands })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`);
  if (verbs !== undefined) {
    const rows = Object.entries(verbs).map(([name, verb]) => `${JSON.stringify(name)}:${JSON.stringify(verb)}`);
    lines.push(`"verbs":{\n${rows.join(",\n")}\n}`);
  }
  return `{${lines.join(",\n")}}\n`;
}

function isProgram(name) {
  return /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/.test(name) && !NO_PROGRAMS.has(name);
}

function present(field, value) {
  return Object.keys(value).length === 0 ? {} : { [field]: value };
}

function sorted(map) {
  return Object.fromEntries([...map].sort(([a], [b]) => compare(a, b)));
}

function listOf(value) {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

const texts = await generate();
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const [file, text] of texts) writeFileSync(join(target, file), text);
