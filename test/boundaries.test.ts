import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

// Who may import whom. Data flows one way, an import points against the flow; a package enters through one folder.
const root = resolve(import.meta.dirname, "../src");

interface Room {
  /** Folders whose values may be imported. */
  readonly rooms: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[];
  /** Packages and node modules that the whole room may use. */
  readonly packages?: readonly string[];
  /** Packages and node modules that one file of the room may use. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

const ROOMS: Readonly<Record<string, Room>> = {
  text: { rooms: [], packages: ["node:path"] },
  syntax: { rooms: ["text"], packages: ["unbash", "shell-quote"] },
  segment: { rooms: ["text", "syntax"], packages: ["node:path"], files: { "dictionary.ts": ["node:fs", "node:url"] } },
  policy: {
    rooms: ["text", "segment"],
    packages: ["node:path", "picomatch"],
    files: {
      "load.ts": ["node:fs"],
      "make-folder.ts": ["node:fs"],
      "regular-file.ts": ["node:fs"],
      "toml.ts": ["smol-toml"],
      "opencode.ts": ["jsonc-parser"],
      "import/json-text.ts": ["jsonc-parser"],
      "import/gemini.ts": ["smol-toml"],
      "hash.ts": ["node:crypto", "node:module"],
      "trust.ts": ["node:fs", "node:crypto"],
    },
  },
  ask: {
    rooms: ["text", "segment", "policy"],
    packages: ["node:path", "node:crypto"],
    files: {
      "database.ts": ["node:fs", "libsql"],
      "schema.ts": ["libsql"],
      "owner.ts": ["node:fs", "node:os"],
      "project.ts": ["node:fs"],
      "calls.ts": ["node:fs"],
      "log.ts": ["node:fs"],
      "terminal.ts": ["@clack/prompts", "node:fs", "node:tty"],
    },
  },
  exec: { rooms: [], packages: ["node:*", "@lydell/node-pty"] },
  result: { rooms: ["text"], types: ["segment", "policy", "ask", "exec"] },
  "folder-names.ts": { rooms: [], packages: ["node:fs"] },
  "surroundings.ts": {
    rooms: ["text", "folder-names.ts"],
    types: ["segment", "policy"],
    packages: ["node:fs", "node:os", "node:path"],
  },
  // What the policy files ask of the operating system.
  "scope.ts": { rooms: ["text"], types: ["policy", "exec"], packages: ["node:path"] },
  // What happens when something is asked: a part of the guard of its own, so that it is loaded only then.
  "approval.ts": { rooms: ["ask", "policy", "result"], packages: ["node:crypto"] },
  "guard.ts": {
    rooms: [
      "text",
      "syntax",
      "segment",
      "policy",
      "ask",
      "exec",
      "result",
      "surroundings.ts",
      "approval.ts",
      "scope.ts",
    ],
    packages: ["node:fs", "node:os", "node:path", "node:crypto"],
  },
  "session.ts": { rooms: ["guard.ts"], types: ["result"], packages: ["node:path"] },
  "dictionary.ts": { rooms: ["segment"] },
  adapters: {
    rooms: ["guard.ts", "result", "text"],
    types: ["policy", "ask"],
    packages: ["node:path", "node:fs", "node:os"],
    files: {
      "serve.ts": ["node:stream"],
      "serve-lines.ts": ["node:stream", "node:string_decoder"],
      "serve-output.ts": ["node:stream"],
      "mcp/arguments.ts": ["zod"],
      "mcp/elicit.ts": ["@modelcontextprotocol/sdk"],
      "mcp/server.ts": ["@modelcontextprotocol/sdk"],
      "mcp/http.ts": ["@modelcontextprotocol/sdk", "node:http", "node:crypto"],
      "mcp/stdio.ts": ["@modelcontextprotocol/sdk"],
      "opencode/tool.ts": ["zod"],
      // Starts guarded-sh itself, never what it judges.
      "opencode/run-elsewhere.ts": ["node:child_process", "node:readline"],
      "opencode/package-folder.ts": ["node:url"],
    },
  },
  cli: {
    rooms: ["guard.ts", "dictionary.ts", "adapters", "result", "policy", "ask", "text"],
    packages: ["node:*", "execa", "jsonc-parser", "smol-toml"],
  },
  "index.ts": {
    rooms: ["guard.ts", "session.ts", "policy", "ask", "result", "text", "adapters"],
    types: ["segment", "exec"],
  },
  "opencode-tool.ts": { rooms: ["adapters"] },
  "opencode-plugin.ts": { rooms: ["adapters"] },
  "opencode-plugin-v2.ts": { rooms: ["adapters"] },
};

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

interface Import {
  readonly file: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map((found) => ({
    file: relative(root, file),
    to: found[2] ?? found[3] ?? "",
    typeOnly: found[1] !== undefined,
  }));
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

/** undefined when the import is allowed, else the sentence that says what is wrong. */
function fault({ file, to, typeOnly }: Import): string | undefined {
  const room = ROOMS[roomOf(file)];
  if (room === undefined) return `${file}: no such room in the table`;
  if (to.startsWith(".")) {
    if (to.endsWith("/arity/shell.json"))
      return roomOf(file) === "segment" ? undefined : `${file} imports ${to}: the dictionary is read by segment`;
    const target = roomOf(relative(root, resolve(root, dirname(file), to)));
    if (target === roomOf(file) || room.rooms.includes(target)) return undefined;
    if (typeOnly && room.types?.includes(target)) return undefined;
    return `${file} imports ${to}: ${roomOf(file)} may not import ${typeOnly ? "types" : "values"} of ${target}`;
  }
  const own = Object.entries(room.files ?? {}).flatMap(([name, packages]) =>
    file.endsWith(`/${name}`) ? packages : [],
  );
  const allowed = [...(room.packages ?? []), ...own];
  const known = allowed.some(
    (name) => to === name || to.startsWith(`${name}/`) || (name === "node:*" && to.startsWith("node:")),
  );
  return known ? undefined : `${file} imports ${to}: that package does not enter through here`;
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join(root, name));

describe("import boundaries", () => {
  test("every import of src/ is in the table", () => {
    expect(files.flatMap(importsOf).map(fault).filter(Boolean)).toEqual([]);
  });

  test("the table refuses what it should", () => {
    expect(fault({ file: "adapters/hooks/x.ts", to: "../../exec/run.ts", typeOnly: false })).toBeDefined();
    expect(fault({ file: "policy/match.ts", to: "../syntax/parse.ts", typeOnly: true })).toBeDefined();
    expect(fault({ file: "segment/split.ts", to: "node:fs", typeOnly: false })).toBeDefined();
    expect(fault({ file: "result/json.ts", to: "../policy/rule.ts", typeOnly: false })).toBeDefined();
    expect(fault({ file: "cli/check.ts", to: "../exec/run.ts", typeOnly: false })).toBeDefined();
  });
});
