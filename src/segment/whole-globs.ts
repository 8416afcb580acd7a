import type { Glob, Part } from "../syntax/index.ts";

/** A glob with all that belongs to it: `[a-z]`, `@(a|b)`. */
export interface WholeGlob extends Glob {
  /** An unquoted expansion stands in it: bash may split there. */
  readonly splits?: true;
}

/**
 * Parts in which a bracket expression, or an extended glob, is one glob up to where it may end: of `.[e]nv` bash makes
 * `.env`, so no letter inside stands for itself. Where the end is not sure the glob reaches further: it may be anything.
 */
export function wholeGlobs(parts: readonly Part[]): readonly (Part | WholeGlob)[] {
  const whole: (Part | WholeGlob)[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as Part;
    const end = part.kind === "glob" ? endOf(parts, at, part) : undefined;
    if (end === undefined) {
      whole.push(part);
      continue;
    }
    const inside = parts.slice(at, end.part);
    const last = parts[end.part] as Literal;
    const splits = inside.some((each) => each.kind !== "glob" && each.kind !== "literal");
    const text = inside.map(textOf).join("") + last.value.slice(0, end.offset);
    whole.push({ kind: "glob", text, ...(splits && { splits }) });
    if (end.offset < last.value.length) whole.push({ ...last, value: last.value.slice(end.offset) });
    at = end.part;
  }
  return whole;
}

type Literal = Extract<Part, { kind: "literal" }>;

function textOf(part: Part): string {
  if (part.kind === "literal") return part.value;
  return part.kind === "tilde" ? `~${part.user}` : part.text;
}

interface End {
  readonly part: number;
  /** Behind the sign that ends the glob. */
  readonly offset: number;
}

/** The last closing sign that is not quoted; of a bracket expression the last one in front of a slash. */
function endOf(parts: readonly Part[], from: number, { text }: Glob): End | undefined {
  const brackets = text === "[";
  if (!brackets && !text.endsWith("(")) return undefined;
  let end: End | undefined;
  for (let at = from + 1; at < parts.length; at++) {
    const part = parts[at] as Part;
    if (part.kind !== "literal" || part.quoted) continue;
    const slash = brackets ? part.value.indexOf("/") : -1;
    const value = slash < 0 ? part.value : part.value.slice(0, slash);
    const sign = value.lastIndexOf(brackets ? "]" : ")");
    if (sign >= 0) end = { part: at, offset: sign + 1 };
    if (slash >= 0) break;
  }
  return end;
}
