import type {
  CommandNode,
  CompoundCommand,
  AndOr as ParsedAndOr,
  Assignment as ParsedAssignment,
  Command as ParsedCommand,
  Function as ParsedFunction,
  Statement as ParsedStatement,
  Word as ParsedWord,
  PipelineNode,
  Redirection,
  SyntaxNode,
  TestExpression,
} from "unbash";
import { type Leaves, noLeaves } from "./gaps.ts";
import {
  countOne,
  countWords,
  type FoundAt,
  findExpansions,
  nested,
  note,
  opaque,
  type Region,
  spanIn,
} from "./reader.ts";
import { readRedirect } from "./redirects.ts";
import { arithmeticEnd, skipContinuations } from "./scan.ts";
import type { Assignment, Command, Comparison, Redirect, Statement, Word } from "./tree.ts";
import { emptyWord, readWord, subscriptAt, type WordKind } from "./words.ts";

/** Reads parsed statements into our own tree and collects the leaves they are made of. */
export function readStatements(
  region: Region,
  statements: readonly ParsedStatement[],
  leaves: Leaves,
): readonly Statement[] {
  return statements.map((statement, i) => {
    const next = statements[i + 1];
    const goesOn = next !== undefined && !region.text.slice(statement.end, next.pos).includes("\n");
    return {
      command: readCommand(region, statement.command, leaves),
      background: statement.background === true,
      ...(goesOn && { goesOn }),
    };
  });
}

function readCommand(region: Region, node: PipelineNode | ParsedAndOr, leaves: Leaves): Command {
  switch (node.type) {
    case "AndOr":
      return {
        kind: "and-or",
        commands: node.commands.map((c) => readCommand(region, c, leaves)),
        operators: node.operators,
      };
    case "Pipeline":
      return {
        kind: "pipeline",
        negated: node.prefixes.some((p) => p.type === "Negation"),
        timed: node.prefixes.some((p) => p.type === "Time"),
        commands: node.commands.map((c) => readCommand(region, c, leaves)),
        operators: node.operators,
      };
    case "Command":
      return readSimple(region, node, leaves);
    default:
      return nested(region, node.pos, emptyCommand(region, node.pos), () => readCompound(region, node, leaves));
  }
}

function emptyCommand(region: Region, at: number): Command {
  return { kind: "simple", text: "", span: spanIn(region, at, at), assignments: [], words: [], redirects: [] };
}

function readCompound(region: Region, node: Exclude<CommandNode, ParsedCommand>, leaves: Leaves): Command {
  switch (node.type) {
    case "Redirected": {
      const redirects = node.redirects.map((r) => readRedirect(region, r, leaves));
      return { ...readBody(region, node.command, leaves), redirects };
    }
    case "Function":
      return readFunction(region, node, leaves);
    case "Coproc": {
      if (node.name) leaf(leaves, node.name);
      if (region.reprinted)
        opaque(region, "`coproc` inside a substitution, which bash 5.2 prints wrongly", node.pos, node.pos + 6);
      const body =
        node.body.type === "CompoundList" ? emptyCommand(region, node.pos) : readCommand(region, node.body, leaves);
      return { kind: "coproc", name: node.name?.text, span: spanIn(region, node.pos, node.end), body };
    }
    default:
      return readBody(region, node, leaves);
  }
}

function readFunction(region: Region, node: ParsedFunction, leaves: Leaves): Command {
  leaf(leaves, node.name);
  const body =
    node.body.type === "CompoundList" ? emptyCommand(region, node.pos) : readCommand(region, node.body, leaves);
  const name = plainWord(region, node.name, "word");
  const text = name.parts.map((part) => (part.kind === "literal" ? part.value : "")).join("");
  return { kind: "function", name: text, span: spanIn(region, node.pos, node.end), body };
}

type ReadBody = Exclude<Command, { kind: "simple" | "pipeline" | "and-or" | "function" | "coproc" }>;

function readBody(region: Region, node: CompoundCommand, leaves: Leaves): ReadBody {
  const span = spanIn(region, node.pos, node.end);
  const list = (part: { readonly commands: readonly ParsedStatement[] } | undefined) =>
    part === undefined ? [] : readStatements(region, part.commands, leaves);
  const words = (parsed: readonly ParsedWord[], kind: WordKind = "word") =>
    parsed.map((w) => leafWord(region, w, kind, leaves));
  const redirects: readonly Redirect[] = [];
  switch (node.type) {
    case "Subshell":
      noteNestedArithmetic(region, node.pos, node.end);
      return { kind: "group", subshell: true, body: list(node.body), span, redirects };
    case "BraceGroup":
      return { kind: "group", subshell: false, body: list(node.body), span, redirects };
    case "If": {
      const branches = [node, ...node.elif].map((b) => ({ condition: list(b.clause), body: list(b.then) }));
      return { kind: "if", branches, otherwise: list(node.else), span, redirects };
    }
    case "While":
      return { kind: "loop", keyword: node.kind, condition: list(node.clause), body: list(node.body), span, redirects };
    case "For":
    case "Select": {
      leaf(leaves, node.name);
      const keyword = node.type === "For" ? "for" : "select";
      const values = node.wordlist && joined(region, node.wordlist).map((w) => readJoined(region, w, "word", leaves));
      return { kind: "for", keyword, name: node.name.text, words: values, body: list(node.body), span, redirects };
    }
    case "ArithmeticFor": {
      const header = arithmeticHeader(region, node, leaves);
      return { kind: "arithmetic-for", header, body: list(node.body), span, redirects };
    }
    case "Case": {
      const [word = emptyWord(region, node.pos)] = words([node.word]);
      const items = node.items.map((item) => ({ patterns: words(item.pattern), body: list(item.body) }));
      return { kind: "case", word, items, span, redirects };
    }
    case "TestCommand": {
      leaves.tests.push([node.pos, node.end]);
      return { kind: "test", comparisons: readTest(region, node.expression, leaves), span, redirects };
    }
    case "ArithmeticCommand": {
      const expression = arithmetic(region, node.pos, node.end, [node], leaves);
      return { kind: "arithmetic", expression, span, redirects };
    }
  }
}

/** `((` is arithmetic for bash if a `))` closes it, whatever the parser made of it. */
function noteNestedArithmetic(region: Region, at: number, end: number): void {
  const second = skipContinuations(region.text, at + 1);
  if (region.text[second] !== "(") return;
  if (arithmeticEnd(region.text, second - 1) !== undefined)
    opaque(region, "`((` that bash reads as arithmetic", at, second + 1);
  // bash tries arithmetic first, and has lost the bodies of here-documents when it reads the text again.
  else if (region.text.slice(at, end).includes("<<")) opaque(region, "a here-document inside `((`", at, second + 1);
}

function arithmetic(region: Region, start: number, end: number, nodes: readonly SyntaxNode[], leaves: Leaves): Word {
  leaves.spans.push([start, end]);
  if (arithmeticEnd(region.text, start) !== end)
    opaque(region, "`((` that bash may read as nested subshells", start, end);
  return readWord(region, start + 2, end - 2, "arithmetic", lazily(nodes));
}

function arithmeticHeader(region: Region, node: SyntaxNode & { readonly pos: number }, leaves: Leaves): Word {
  const start = region.text.indexOf("((", node.pos);
  const end = start < 0 ? undefined : arithmeticEnd(region.text, start);
  if (end === undefined) {
    opaque(region, "the head of a `for ((` loop", node.pos, node.pos + 5);
    return emptyWord(region, node.pos);
  }
  leaves.spans.push([start, end]);
  return readWord(region, start + 2, end - 2, "arithmetic", lazily([node]));
}

function readTest(region: Region, node: TestExpression, leaves: Leaves): readonly Comparison[] {
  switch (node.type) {
    case "TestUnary":
      return [{ operator: node.operator, operands: [leafWord(region, node.operand, "word", leaves)] }];
    case "TestBinary": {
      const operands = [node.left, node.right].map((w) => leafWord(region, w, "pattern", leaves));
      return [{ operator: node.operator, operands }];
    }
    case "TestLogical":
      return node.operands.flatMap((operand) => readTest(region, operand, leaves));
    case "TestNot":
      return nested(region, node.pos, [], () => readTest(region, node.operand, leaves));
    case "TestGroup":
      return nested(region, node.pos, [], () => readTest(region, node.expression, leaves));
  }
}

/** Words, assignments and redirects of one simple command, glued ones joined: `cat<(x)` is one word for bash. */
function readSimple(region: Region, node: ParsedCommand, leaves: Leaves): Command {
  countOne(region, node.pos);
  const parsed: readonly SyntaxNode[] = node.name ? [...node.prefix, node.name, ...node.suffix] : node.prefix;
  countWords(region, node.pos, parsed.length);
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  const items = joined(region, parsed);
  for (const [position, item] of items.entries()) {
    const [first] = item.nodes;
    if (first === undefined || isDescriptor(region, item, items[position + 1])) continue;
    if (first.type === "Redirect" || first.type === "HereString" || first.type === "HereDoc")
      redirects.push(
        readRedirect(region, first as Redirection, leaves, item.end, lazily(item.nodes), items[position - 1]?.start),
      );
    else if (
      words.length === 0 &&
      ASSIGNMENT.test(region.text.slice(item.start, item.start + 256)) &&
      isAssignment(first, region, item)
    )
      assignments.push(readAssignment(region, first, item, leaves));
    else words.push(readArgument(region, first, item, words.length, leaves));
  }
  // bash 5.2 keeps `$( … )` as a tree and prints it again before it runs it: this is printed wrongly.
  if (
    words.length === 0 &&
    region.reading.depth > 0 &&
    redirects.some((r) => r.operator.startsWith("<<") && r.operator !== "<<<")
  )
    opaque(region, "a here-document without a command inside a substitution", node.pos, node.end);
  const start = items[0]?.start ?? node.pos;
  const end = items.at(-1)?.end ?? node.end;
  return {
    kind: "simple",
    text: region.text.slice(start, end),
    span: spanIn(region, start, end),
    assignments,
    words,
    redirects,
  };
}

/** A word of a command. `declare name=( … )` has an array in an argument, whose subscripts are evaluated. */
function readArgument(region: Region, node: SyntaxNode, item: Joined, position: number, leaves: Leaves): Word {
  const text = region.text.slice(item.start, item.end);
  if (position === 0 && text.includes("\\\n") && ASSIGNMENT.test(text.replaceAll("\\\n", "")))
    opaque(region, "a line continuation inside an assignment", item.start, item.end);
  const head = node.type === "Assignment" ? assignmentHead(region.text, item.start, item.end) : undefined;
  const elements = head && node.type === "Assignment" ? readElements(region, node, head) : undefined;
  if (head === undefined || elements === undefined) return readJoined(region, item, "word", leaves);
  leaves.spans.push([item.start, item.end]);
  const plainText = (value: string) => ({ kind: "literal", value, quoted: false }) as const;
  const inner = elements.flatMap((element, i) => (i === 0 ? element.parts : [plainText(" "), ...element.parts]));
  const parts = [plainText(region.text.slice(item.start, head.valueStart + 1)), ...inner, plainText(")")];
  return { text, span: spanIn(region, item.start, item.end), parts, braces: undefined };
}

/** `{name[subscript]}>file`: the parser takes what stands before the redirect for a word. */
function isDescriptor(region: Region, item: Joined, next: Joined | undefined): boolean {
  if (next?.start !== item.end || next.nodes[0]?.type !== "Redirect") return false;
  const text = region.text.slice(item.start, item.end);
  if (/^\{[A-Za-z_]\w*\[.*\]\}$/s.test(text)) return true;
  // A descriptor that a line continuation cuts off from its operator.
  const joinedText = text.replaceAll("\\\n", "");
  if (text.includes("\\\n") && /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(joinedText))
    opaque(region, "a line continuation inside a redirection", item.start, item.end);
  return false;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\+?=|\[)/;

/** A parsed assignment; or a word that only became one when `name=<(…)` in front of it was joined. */
function isAssignment(node: SyntaxNode, region: Region, item: Joined): boolean {
  return node.type === "Assignment" || assignmentHead(region.text, item.start, item.end) !== undefined;
}

interface Joined {
  readonly start: number;
  readonly end: number;
  readonly nodes: readonly SyntaxNode[];
}

/**
 * Joins nodes that touch: where one of them is a process substitution bash goes on with the same word, and the parser
 * begins another.
 */
function joined(region: Region, nodes: readonly SyntaxNode[]): readonly Joined[] {
  const items: { start: number; end: number; nodes: SyntaxNode[] }[] = [];
  for (const node of nodes) {
    const last = items.at(-1);
    const isWord = node.type === "Word" || node.type === "Assignment";
    if (last !== undefined && isWord && touches(region, last.end, node.pos)) {
      last.nodes.push(node);
      last.end = node.end;
    } else items.push({ start: node.pos, end: node.end, nodes: [node] });
  }
  return items;
}

function touches(region: Region, end: number, start: number): boolean {
  return end === start || /^(?:\\\n)+$/.test(region.text.slice(end, start));
}

function readJoined(region: Region, item: Joined, kind: WordKind, leaves: Leaves): Word {
  leaves.spans.push([item.start, item.end]);
  return readWord(region, item.start, item.end, kind, lazily(item.nodes));
}

function leafWord(region: Region, node: ParsedWord, kind: WordKind, leaves: Leaves): Word {
  leaf(leaves, node);
  return plainWord(region, node, kind);
}

function plainWord(region: Region, node: ParsedWord, kind: WordKind): Word {
  return readWord(region, node.pos, node.end, kind, lazily([node]));
}

function leaf(leaves: Leaves, node: { readonly pos: number; readonly end: number }): void {
  leaves.spans.push([node.pos, node.end]);
}

/** What the parser found below some nodes, collected when it is first asked for: most words have no expansions. */
function lazily(nodes: readonly SyntaxNode[]): () => FoundAt {
  let found: FoundAt | undefined;
  return () => (found ??= findExpansions(nodes));
}

interface AssignmentHead {
  readonly name: string;
  readonly subscript: { readonly start: number; readonly end: number } | undefined;
  readonly append: boolean;
  readonly valueStart: number;
}

function assignmentHead(text: string, start: number, end: number): AssignmentHead | undefined {
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(start, end))?.[0];
  if (name === undefined) return undefined;
  let at = start + name.length;
  const subscript = text[at] === "[" ? subscriptAt(text, at, end) : undefined;
  if (subscript !== undefined) at = subscript.end + 1;
  const append = text[at] === "+";
  if (append) at++;
  return text[at] === "=" ? { name, subscript, append, valueStart: at + 1 } : undefined;
}

function readAssignment(region: Region, node: SyntaxNode, item: Joined, leaves: Leaves): Assignment {
  countOne(region, item.start);
  leaves.spans.push([item.start, item.end]);
  const text = region.text.slice(item.start, item.end);
  const span = spanIn(region, item.start, item.end);
  const head = assignmentHead(region.text, item.start, item.end);
  if (head === undefined) {
    opaque(region, "an assignment that bash may read differently", item.start, item.end);
    return {
      name: text,
      text,
      span,
      append: false,
      subscript: undefined,
      value: emptyWord(region, item.end),
      elements: undefined,
    };
  }
  const found = lazily(item.nodes);
  if (
    head.subscript &&
    /^\[|\s.*(?<!\$)\[|(?<!\$)\[.*\s/s.test(region.text.slice(head.subscript.start, head.subscript.end))
  )
    opaque(region, "brackets inside a subscript", item.start, item.end);
  const subscript = head.subscript && readWord(region, head.subscript.start, head.subscript.end, "subscript", found);
  const elements = node.type === "Assignment" ? readElements(region, node, head) : undefined;
  const value = elements
    ? emptyWord(region, item.end)
    : readWord(region, head.valueStart, item.end, "assignment-value", found);
  return { name: head.name, text, span, append: head.append, subscript, value, elements };
}

/** The elements of `name=( … )`. A subscript in one (`[…]=x`) is evaluated, so quotes do not protect it. */
function readElements(region: Region, node: ParsedAssignment, head: AssignmentHead): readonly Word[] | undefined {
  if (region.text[head.valueStart] !== "(") return undefined;
  const value = node.value;
  if (value?.type !== "ArrayValue") {
    opaque(region, "an array that bash may read differently", node.pos, node.end);
    return [];
  }
  const leaves = noLeaves();
  const words = joined(region, value.elements).map((item) => {
    leaves.spans.push([item.start, item.end]);
    return readElement(region, item);
  });
  noteUncovered(region, leaves, head.valueStart + 1, node.end - 1);
  return words;
}

function readElement(region: Region, item: Joined): Word {
  const { text } = region;
  const found = lazily(item.nodes);
  const close = text[item.start] === "[" ? subscriptAt(text, item.start, item.end) : undefined;
  const equals = close === undefined ? -1 : /^\+?=/.exec(text.slice(close.end + 1, close.end + 3))?.[0].length;
  if (close === undefined || equals === undefined || equals < 0)
    return readWord(region, item.start, item.end, "word", found);
  const subscript = readWord(region, close.start, close.end, "element", found);
  const value = readWord(region, close.end + 1 + equals, item.end, "assignment-value", found);
  const again = evaluatedAgain(region, subscript);
  const bracket = (t: string) => ({ kind: "literal", value: t, quoted: false }) as const;
  const parts = [
    bracket("["),
    ...subscript.parts,
    ...again,
    bracket(text.slice(close.end, close.end + 1 + equals)),
    ...value.parts,
  ];
  return {
    text: text.slice(item.start, item.end),
    span: spanIn(region, item.start, item.end),
    parts,
    braces: undefined,
  };
}

/** Substitutions that appear in a subscript once its quotes are gone: bash expands it a second time. */
function evaluatedAgain(region: Region, subscript: Word): Word["parts"] {
  const text = subscript.parts.map((part) => (part.kind === "literal" ? part.value : "")).join("");
  if (!/\$[({[]|`/.test(text)) return [];
  const made: Region = { reading: region.reading, text, fixed: subscript.span, shift: 0, reprinted: region.reprinted };
  return readWord(made, 0, text.length, "arithmetic", () => new Map()).parts.filter((part) => part.kind !== "literal");
}

/** Between the elements of an array there are only blanks, newlines and comments. */
function noteUncovered(region: Region, leaves: Leaves, start: number, end: number): void {
  let at = start;
  for (const [from, to] of [...leaves.spans, [end, end] as const]) {
    const gap = region.text.slice(at, from).replace(/\\\n/g, "");
    if (gap.replace(/(^|[\s])#[^\n]*/g, "$1").trim() !== "") {
      note(region, "opaque-text", "text between the elements of an array", at, from);
      return;
    }
    at = Math.max(at, to);
  }
}
