import { nearestWord } from "../text/index.ts";
import type { Parsed, TableRow, Terminal, Verb } from "./command.ts";
import { UsageError } from "./command.ts";
import { bashCompletion, fishCompletion, type Offered, zshCompletion } from "./completion-scripts.ts";
import { EXIT } from "./exit.ts";
import { loadAll } from "./resolve.ts";

const SHELLS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

/** The verb that prints the completion of a table of verbs. */
export function completionVerb(table: readonly TableRow[]): Verb {
  const verb: Verb = {
    name: "completion",
    summary: "print the completion of guarded-sh for a shell",
    usage: ["completion bash|zsh|fish"],
    options: [],
    examples: [
      ["guarded-sh completion bash >> ~/.bashrc", ""],
      ["guarded-sh completion fish > ~/.config/fish/completions/guarded-sh.fish", ""],
    ],
    run: (parsed, terminal) => print(verb, table, parsed, terminal),
  };
  return verb;
}

async function print(verb: Verb, table: readonly TableRow[], parsed: Parsed, terminal: Terminal): Promise<number> {
  const [name, ...more] = parsed.operands;
  if (name === undefined || more.length > 0) throw new UsageError("one shell is named: bash, zsh or fish", verb);
  const script = SHELLS.get(name);
  if (script === undefined) {
    const near = nearestWord(name, SHELLS.keys());
    throw new UsageError(
      `no completion for \`${name}\`${near === undefined ? "" : `, did you mean \`${near}\`?`}`,
      verb,
    );
  }
  const verbs = await loadAll(table.filter((row) => row.name !== verb.name));
  terminal.stdout.write(
    script(
      [...verbs, verb].map(offered),
      table.map(({ name: word, summary }) => [word, summary]),
    ),
  );
  return EXIT.ok;
}

function offered({ name, summary, options }: Verb): Offered {
  return { name, summary, options: options.map((option) => [`--${option.name}`, option.help] as const) };
}
