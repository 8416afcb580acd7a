import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { spellingsOf } from "../../src/segment/facts.ts";
import { type CommandSpec, DOINGS, type Entry, ESCAPES, OPTION_SYNTAXES, ROLES } from "../../src/segment/spec.ts";

const arity = resolve(import.meta.dirname, "../../arity");
const schema = JSON.parse(readFileSync(join(arity, "schema.json"), "utf8"));
const isEntry = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: true,
}).compile<Entry>(schema);

function faultsOf(file: string): string[] {
  const entry: unknown = JSON.parse(readFileSync(join(arity, file), "utf8"));
  if (isEntry(entry)) return faultsIn(entry, file);
  return (isEntry.errors ?? []).map(({ instancePath, message }) => `${file}${instancePath} ${message}`);
}

/** What a schema cannot say. */
function faultsIn(spec: CommandSpec, at: string): string[] {
  const faults: string[] = [];
  const spellings = Object.keys(spec.options ?? {}).flatMap(spellingsOf);
  const twice = spellings.filter((spelling, position) => spellings.indexOf(spelling) !== position);
  if (twice.length > 0) faults.push(`${at}: more than one option is spelled ${twice.join(", ")}`);
  for (const [name, verb] of Object.entries(spec.verbs ?? {})) {
    if (typeof verb === "object") faults.push(...faultsIn(verb, `${at} ${name}`));
    else if (typeof spec.verbs?.[verb] !== "object") faults.push(`${at}: ${name} names ${verb}, which is no verb`);
  }
  return faults;
}

describe("the schema", () => {
  test("lists the words of src/segment/spec.ts", () => {
    const { role, manyRoles, escape: deed, doing, command } = schema.$defs;
    expect(role.enum).toEqual(ROLES);
    expect(manyRoles.pattern).toBe(`^(${ROLES.join("|")})\\*$`);
    expect(deed.enum).toEqual(ESCAPES);
    expect(doing.enum).toEqual(DOINGS);
    expect(command.properties.syntax.enum).toEqual(OPTION_SYNTAXES);
  });

  test.each([
    { names: [] },
    { names: ["x"], option: {} },
    { names: ["x"], options: { "-a,-b": 0 } },
    { names: ["x"], options: { "-a": "file" } },
    { names: ["x"], operands: ["reads*"] },
    { names: ["x"], verbs: { y: { names: ["z"] } } },
    { names: ["x"], verbs: { y: { verbs: { z: { surprise: 1 } } } } },
  ])("refuses %j", (entry) => expect(isEntry(entry)).toBe(false));
});

describe.each(["curated", "generated"])("arity/%s", (folder) => {
  test("every file is an entry", () => {
    const files = readdirSync(join(arity, folder)).filter((file) => file.endsWith(".json"));
    expect(files.flatMap((file) => faultsOf(`${folder}/${file}`))).toEqual([]);
  });
});
