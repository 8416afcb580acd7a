import type { Node } from "jsonc-parser";

/** The text with a member added to a list or an object; nothing else is touched, comments and trailing commas included. */
export function insertMember(text: string, container: Node, member: string, first = false): string {
  const { eol, unit } = styleOf(text);
  const open = container.offset;
  const close = container.offset + container.length - 1;
  const children = container.children ?? [];
  const outer = indentAt(text, open);
  const inner = memberIndent(text, children) ?? outer + unit;
  const lines = member.replaceAll("\n", `${eol}${inner}`);
  const last = children.at(-1);
  if (last === undefined)
    return `${text.slice(0, open + 1)}${eol}${inner}${lines}${eol}${outer}${text.slice(close).trimStart()}`;
  if (first) return `${text.slice(0, open + 1)}${eol}${inner}${lines},${text.slice(open + 1)}`;
  const end = last.offset + last.length;
  const rest = text.slice(end, close);
  // The comma stands behind the member itself: behind its comment it would be part of the comment.
  const comma = commaIn(rest) ? "" : ",";
  const kept = rest.trimEnd();
  return `${text.slice(0, end)}${comma}${kept}${eol}${inner}${lines}${rest.slice(kept.length)}${text.slice(close)}`;
}

/** JSON over several lines, in the style of the text that it is put into. */
export function jsonIn(text: string, value: unknown): string {
  return JSON.stringify(value, null, styleOf(text).unit);
}

interface Style {
  readonly eol: string;
  readonly unit: string;
}

function styleOf(text: string): Style {
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  " };
}

/** The blanks that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

/** The indentation of the members, when the first one begins its line. */
function memberIndent(text: string, children: readonly Node[]): string | undefined {
  const [first] = children;
  if (first === undefined) return undefined;
  const indent = indentAt(text, first.offset);
  const start = text.lastIndexOf("\n", first.offset - 1) + 1;
  return start + indent.length === first.offset ? indent : undefined;
}

function commaIn(rest: string): boolean {
  return rest.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "").includes(",");
}
