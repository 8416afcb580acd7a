import { posix } from "node:path";
import type { Link } from "./links.ts";
import { type Hole, type Piece, type Value, valueFrom } from "./value.ts";

/** A link on a path's way, and what of the path stands behind it: nothing, or a text that begins with a slash. */
export interface LinkStep {
  readonly link: Link;
  readonly rest: Value;
}

const NONE: readonly Link[] = [];

/** Links by where they lie, so that a text with many of them does not compare each with each path. */
export class LinkIndex {
  readonly #exact = new Map<string, Link[]>();
  /** By the directory that they lie in: what a glob there may stand for. */
  readonly #inFolder = new Map<string, Link[]>();
  /** Links whose name is known in part: anything in the directory may be one. */
  readonly #anyIn = new Map<string, Link[]>();

  /** Folders that were asked for, and whether a link leads them. */
  readonly #led = new Map<string, boolean>();

  /** The segments that make links, copy or move. */
  readonly makers: ReadonlySet<number>;
  /** The links, those left out that say what others say. */
  readonly links: readonly Link[];
  /** The segments that make those. */
  readonly owners: ReadonlySet<number>;

  constructor(links: readonly Link[]) {
    this.makers = new Set(links.map(({ segment }) => segment));
    this.links = withoutRepeated(links);
    this.owners = new Set(this.links.map(({ segment }) => segment));
    for (const link of this.links) {
      const { key, whole } = startOf(link.from);
      if (!whole) append(this.#anyIn, folder(key), link);
      else {
        append(this.#exact, key, link);
        append(this.#inFolder, posix.dirname(key), link);
      }
    }
  }

  /** Whether a path goes, or may go, through any link at all, its own name counted. */
  isOnWay(path: Value): boolean {
    const { key, whole } = startOf(path);
    const named = whole ? this.#exact.has(key) : this.#inFolder.has(folder(key));
    return named || this.#isLed(folder(key));
  }

  /** Whether a folder is a link, lies below one, or holds links of which nobody knows the names. */
  #isLed(start: string): boolean {
    const passed: string[] = [];
    let found: boolean | undefined;
    for (let at = start; found === undefined; at = folder(at)) {
      found = this.#led.get(at) ?? (this.#exact.has(at) || this.#anyIn.has(at) || undefined);
      passed.push(at);
      if (at === "/") found ??= false;
      else if (!at.includes("/")) found ??= this.#anyIn.has(folder(at));
    }
    for (const path of passed) this.#led.set(path, found);
    return found;
  }

  /**
   * The links that a path goes through first, at every depth of its known part; `ends`: those at the path itself as well. One by one:
   * there may be thousands, and who asks soon has enough.
   */
  *stepsOf(path: Value, ends: boolean): Generator<LinkStep> {
    const { key, whole, others } = startOf(path);
    for (const end of slashesIn(key)) {
      const links = this.#linksAt(key.slice(0, end));
      if (links.length === 0) continue;
      const rest = valueFrom([key.slice(end), ...others], false);
      for (const link of links) yield { link, rest };
    }
    if (whole && ends) for (const link of this.#linksAt(key)) yield { link, rest: "" };
    if (!whole) yield* this.#throughGlob(key, others);
  }

  #linksAt(key: string): readonly Link[] {
    const exact = this.#exact.get(key) ?? NONE;
    const any = this.#anyIn.get(folder(key)) ?? NONE;
    return any.length === 0 ? exact : [...exact, ...any];
  }

  /** `r*` + `/etc/x`: the glob may stand for a link. */
  #throughGlob(key: string, others: readonly Piece[]): readonly LinkStep[] {
    const [glob] = others;
    if (typeof glob !== "object" || glob.cause !== "path") return [];
    const at = others.findIndex((piece) => typeof piece === "string" && piece.includes("/"));
    const next = others[at];
    if (typeof next !== "string") return [];
    const rest = valueFrom([next.slice(next.indexOf("/")), ...others.slice(at + 1)], false);
    return (this.#inFolder.get(folder(key)) ?? []).map((link) => ({ link, rest }));
  }
}

/**
 * Of links that are alike the first, and the first that another segment makes: whatever a later one leads, one of them leads,
 * as only what its own segment uses is not led by a link, and what was known before it was made.
 */
function withoutRepeated(links: readonly Link[]): readonly Link[] {
  const makers = new Map<string, number | "several">();
  return links.filter((link) => {
    const { segment } = link;
    const key = saidBy(link);
    const maker = makers.get(key);
    if (maker === "several" || maker === segment) return false;
    makers.set(key, maker === undefined ? segment : "several");
    return true;
  });
}

function saidBy({ from, to, kind, replaces }: Link): string {
  const [only] = to;
  if (to.length === 1 && typeof from === "string" && typeof only === "string")
    return `${kind} ${replaces} ${from}\u0000${only}`;
  return JSON.stringify([from, to, kind, replaces]);
}

interface Start {
  /** The literal beginning; below an unknown directory, with a sign for it in front. */
  readonly key: string;
  readonly whole: boolean;
  readonly others: readonly Piece[];
}

function startOf(path: Value): Start {
  if (typeof path === "string") return { key: path, whole: true, others: [] };
  const [first, second, ...rest] = path.pieces;
  if (typeof first === "string") return { key: first, whole: false, others: path.pieces.slice(1) };
  const key = `\u0000${textOf(first)}\u0000${typeof second === "string" ? second : ""}`;
  const others = typeof second === "string" ? rest : path.pieces.slice(1);
  return { key, whole: others.length === 0, others };
}

function textOf(hole: Hole | undefined): string {
  return hole?.text ?? "";
}

/** Offsets of the slashes that a known component stands in front of. */
function slashesIn(key: string): readonly number[] {
  const found: number[] = [];
  for (let at = key.indexOf("/", 1); at > 0; at = key.indexOf("/", at + 1)) found.push(at);
  return found;
}

function folder(key: string): string {
  return key.slice(0, key.lastIndexOf("/")) || "/";
}

function append(map: Map<string, Link[]>, key: string, link: Link): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [link]);
  else list.push(link);
}
