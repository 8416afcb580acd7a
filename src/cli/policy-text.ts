import type { Paint } from "../result/index.ts";
import { escapeText, WIDTH, wrapBehind, wrapText } from "../text/index.ts";
import { shownPath } from "./place.ts";
import type { ShownDocument, ShownRule } from "./policy-document.ts";
import type { ShownPolicy } from "./policy-show.ts";

/** The policy for people: a block for each document, a line for each rule. */
export function renderPolicy(policy: ShownPolicy, home: string, paint: Paint): string {
  if (policy.documents.length === 0) {
    return "there is no policy: everything runs. `guarded-sh init` writes one";
  }
  const place = (path: string) => shownPath(path, policy.cwd, home);
  const blocks = policy.documents.map((document) => documentLines(document, "", place, paint).join("\n"));
  return [...blocks, ...grantBlocks(policy, paint), defaultLine(policy, place, paint)].join("\n\n");
}

function grantBlocks({ grants }: ShownPolicy, paint: Paint): string[] {
  if (grants.length === 0) return [];
  const lines = grants.flatMap(({ id, tool, pattern, exact, scope }) => {
    const what = `${tool === "bash" ? "" : `${tool}  `}${exact ? "exactly " : ""}${pattern}`;
    return decisionLines("  ", "allow", paint.allow, escapeText(what), `${scope}, grant ${id}`, paint);
  });
  return [["granted: answers what is asked, never a deny", ...lines].join("\n")];
}

type PlaceOf = (path: string) => string;

function defaultLine({ off, default: otherwise }: ShownPolicy, place: PlaceOf, paint: Paint): string {
  if (off || otherwise === null) return "no document has rules: everything runs";
  const { decision, source } = otherwise;
  return `where no rule speaks: ${paintOf(paint, decision)(decision)} (${place(source)})`;
}

/** One document as lines: its head, its state, its rules, and what it extends further in. */
export function documentLines(document: ShownDocument, margin: string, place: PlaceOf, paint: Paint): string[] {
  const { layer, source, rules, programs, scope, env } = document;
  const head = margin === "" ? `${layer}: ${place(source)}` : `extends ${place(source)}`;
  const inner = `${margin}  `;
  const lines = [
    `${margin}${head}`,
    ...stateLines(document, margin === "").map((line) => `${inner}${paint.dim(line)}`),
  ];
  lines.push(...rules.flatMap((rule) => ruleLines(rule, inner, source, paint)));
  if (programs.length > 0) lines.push(wrapBehind(`${inner}describes `, escapeText(programs.join(", "))));
  if (scope !== undefined) lines.push(wrapBehind(`${inner}scope `, shownTable(scope)));
  if (env !== undefined) lines.push(wrapBehind(`${inner}env `, shownTable(env)));
  return [...lines, ...document.extends.flatMap((base) => documentLines(base, inner, place, paint))];
}

function stateLines({ off, trusted, order, default: otherwise }: ShownDocument, outermost: boolean): string[] {
  if (off) return ["no rules: it does not vote"];
  const says = order === "first-match" ? "the first rule that matches decides" : "the last rule that matches decides";
  const line = `${says}, ${otherwise === null ? "no default" : `default ${otherwise}`}`;
  if (trusted || !outermost) return [line];
  return [line, "not trusted: its allow rules and its default do not count, see `guarded-sh trust`"];
}

/** A table on one line, with blanks to part it at. */
function shownTable(table: object): string {
  return escapeText(JSON.stringify(table)).replaceAll(/(?<=["\]}\w]),(?=")/g, ", ");
}

/** `deny   git push *  with -f or --force   :12`: the line number stands in the file that was named above. */
function ruleLines(rule: ShownRule, margin: string, document: string, paint: Paint): readonly string[] {
  const place = rule.source.slice(rule.source.startsWith(document) ? document.length : 0);
  const colour = paintOf(paint, rule.counts ? rule.action : "dim");
  return decisionLines(margin, rule.action, colour, conditionOf(rule), place, paint);
}

const COLUMN = 56;

/** A decision, what it is about, and where that is from beside it. What does not fit goes on below: a rule is never cut. */
function decisionLines(
  margin: string,
  decision: string,
  colour: (text: string) => string,
  what: string,
  from: string,
  paint: Paint,
): readonly string[] {
  const head = `${margin}${decision.padEnd(5)} `;
  const room = WIDTH - head.length - from.length - 1;
  const [first = "", ...more] = wrapText(what, room);
  const line = `${margin}${colour(decision.padEnd(5))} ${first.padEnd(Math.min(room, COLUMN))} ${paint.dim(from)}`;
  return [line, ...more.map((text) => " ".repeat(head.length + 2) + text)];
}

function conditionOf({ tool, pattern, flags, does, certain }: ShownRule): string {
  const narrowed = pattern !== "*" || (flags === undefined && does === undefined);
  return [
    ...(tool === "bash" ? [] : [escapeText(tool)]),
    ...(narrowed ? [escapeText(pattern)] : []),
    ...(does === undefined ? [] : [`does ${does.join(", ")}`]),
    ...(flags === undefined ? [] : [`with ${flags.join(" or ")}`]),
    ...(certain === undefined ? [] : ["certainly"]),
  ].join("  ");
}

function paintOf(paint: Paint, name: string): (text: string) => string {
  switch (name) {
    case "allow":
      return paint.allow;
    case "ask":
      return paint.ask;
    case "deny":
      return paint.deny;
    default:
      return paint.dim;
  }
}
