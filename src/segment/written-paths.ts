import type { Value } from "./value.ts";

/** A path that a segment writes; `below`: everything in it as well. */
export interface WrittenPath {
  readonly path: Value;
  readonly below: boolean;
  readonly segment: number;
}

/** Paths that a text writes so far, by where they lie: a text may write thousands, and run as many. */
export class WrittenPaths {
  /** Those of which all is known: the segments that write them, two at most. */
  readonly #exact = new Map<string, number[]>();
  readonly #below = new Map<string, number[]>();
  readonly #partly: WrittenPath[] = [];
  readonly #all: WrittenPath[] = [];
  readonly #known = new Map<string, number[]>();

  add(written: WrittenPath): void {
    const { path, below, segment } = written;
    // Of those that are alike two are enough: one of them is of another segment than the one that asks.
    if (!addSegmentTo(this.#known, JSON.stringify([path, below]), segment)) return;
    this.#all.push(written);
    if (typeof path !== "string") this.#partly.push(written);
    else addSegmentTo(below ? this.#below : this.#exact, path, segment);
  }

  /** Whether a segment other than this one may write the file. */
  mayHold(file: Value, segment: number | undefined): boolean {
    const byOther = (written: WrittenPath) => written.segment !== segment && mayBe(written, file);
    if (typeof file !== "string") return this.#all.some(byOther);
    const others = (segments: readonly number[] | undefined) => segments?.some((each) => each !== segment) === true;
    if (others(this.#exact.get(file)) || others(this.#below.get(file)) || others(this.#below.get("/"))) return true;
    return foldersOf(file).some((folder) => others(this.#below.get(folder))) || this.#partly.some(byOther);
  }
}

function addSegmentTo(map: Map<string, number[]>, key: string, segment: number): boolean {
  const segments = map.get(key);
  if (segments === undefined) map.set(key, [segment]);
  else if (segments.length > 1 || segments.includes(segment)) return false;
  else segments.push(segment);
  return true;
}

function foldersOf(file: string): readonly string[] {
  const found: string[] = [];
  for (let at = file.indexOf("/"); at >= 0; at = file.indexOf("/", at + 1)) found.push(file.slice(0, at));
  return found;
}

/** Whether what is written may be the file, as far as both are known. */
export function mayBe({ path, below }: Omit<WrittenPath, "segment">, file: Value): boolean {
  if (typeof path === "string" && typeof file === "string") {
    return path === file || (below && file.startsWith(`${path === "/" ? "" : path}/`));
  }
  const [begins, ends] = [startOf(path), startOf(file)];
  const starts = begins.startsWith(ends) || ends.startsWith(begins);
  return starts && (below || endsAlike(endOf(path), endOf(file)));
}

function endsAlike(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a);
}

function startOf(value: Value): string {
  const first = typeof value === "string" ? value : value.pieces[0];
  return typeof first === "string" ? first : "";
}

/** The literal text that a value certainly ends with. */
export function endOf(value: Value): string {
  const last = typeof value === "string" ? value : value.pieces.at(-1);
  return typeof last === "string" ? last : "";
}
