import { escapeText, wrapFrom } from "../../text/index.ts";
import type { Imported, ImportedRule, Item } from "./imported.ts";

/** An imported policy as a TOML file with a comment for each rule that says where it comes from. */
export function renderToml({ agent, otherwise, items }: Imported, file: string): string {
  const lines = [
    ...comment("# ", `Imported by \`guarded-sh policy import ${agent} ${escapeText(file)}\`.`),
    "# The first rule that matches decides. Every command of a line is judged by itself, through",
    "# wrappers and scripts.",
    ...lossLines(items),
    "",
    "[permissions]",
    `default_action = ${quoted(otherwise)}`,
  ];
  for (const item of items) if (item.kind === "rule") lines.push("", ...ruleLines(item));
  return `${lines.join("\n")}\n`;
}

/** One line for each thing that could not be carried over. */
export function lossesOf({ items }: Imported): readonly string[] {
  const lines = items.flatMap((item) => {
    if (item.kind === "lost") return [`not carried over: ${escapeText(item.from)}: ${item.why}`];
    return item.note === undefined ? [] : [`carried over stricter: ${escapeText(item.from)}: ${item.note}`];
  });
  // One rule there may be several here.
  return [...new Set(lines)];
}

function lossLines(items: readonly Item[]): readonly string[] {
  const losses = items.flatMap((item) => (item.kind === "lost" ? [`${escapeText(item.from)}: ${item.why}`] : []));
  if (losses.length === 0) return [];
  return ["#", "# Not carried over:", ...[...new Set(losses)].flatMap((loss) => comment("#   ", loss))];
}

/** A comment on as many lines as it takes. */
function comment(mark: string, text: string): readonly string[] {
  return wrapFrom(mark.length, text).map((line) => mark + line);
}

function ruleLines({ tool, pattern, decision, reason, match, notMatch, from, note }: ImportedRule): readonly string[] {
  return [
    ...comment("# ", escapeText(from)),
    ...(note === undefined ? [] : comment("# ", escapeText(note))),
    "[[permissions.rule]]",
    `tool = ${quoted(tool)}`,
    `pattern = ${quoted(pattern)}`,
    `action = ${quoted(decision)}`,
    ...(reason === undefined ? [] : [`reason = ${quoted(reason)}`]),
    ...examples("match", match),
    ...examples("not_match", notMatch),
  ];
}

function examples(field: string, texts: readonly string[] = []): readonly string[] {
  return texts.length === 0 ? [] : [`${field} = [${texts.map(quoted).join(", ")}]`];
}

/** A TOML basic string: JSON's escapes are a part of TOML's, but for the one character that JSON leaves as it is. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
