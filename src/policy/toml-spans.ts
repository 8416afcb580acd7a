import type { Span } from "../text/index.ts";

/** Where a key and its value stand in a TOML text. */
export interface Place {
  readonly key: Span;
  readonly value: Span;
}

/** Places by path: keys and list positions joined by a NUL, which no bare key can hold. */
export type Places = ReadonlyMap<string, Place>;

/** The name under which a path is found. */
export function placeKey(path: readonly (string | number)[]): string {
  return path.join("\u0000");
}

/**
 * Finds every key, table and list item of a TOML text that has already been read without an error; the reader itself tells
 * values only. Reads positions and nothing else: an unexpected character ends the scan, what was found so far stands.
 */
export function placesOf(text: string): Places {
  const scan: Scan = { text, at: 0, places: new Map(), lists: new Map() };
  let table: (string | number)[] = [];
  for (;;) {
    skipBlank(scan);
    if (scan.at >= text.length) return scan.places;
    const before = scan.at;
    if (text[scan.at] === "[") table = readHeader(scan);
    else readPair(scan, table);
    if (scan.at === before) return scan.places;
  }
}

interface Scan {
  readonly text: string;
  at: number;
  readonly places: Map<string, Place>;
  /** Tables seen so far of each list of tables. */
  readonly lists: Map<string, number>;
}

function readHeader(scan: Scan): (string | number)[] {
  const start = scan.at;
  const isList = scan.text[start + 1] === "[";
  scan.at += isList ? 2 : 1;
  const keys = readKeys(scan);
  const close = scan.text.indexOf("]", scan.at);
  scan.at = close < 0 ? scan.text.length : close + (isList ? 2 : 1);
  const span = { start, end: scan.at };
  const path = resolveLists(scan, isList ? keys.slice(0, -1) : keys);
  if (isList) {
    path.push(keys.at(-1) ?? "");
    const name = placeKey(path);
    const count = scan.lists.get(name) ?? 0;
    scan.lists.set(name, count + 1);
    if (count === 0) scan.places.set(name, { key: span, value: span });
    path.push(count);
  }
  scan.places.set(placeKey(path), { key: span, value: span });
  return path;
}

/** A table under a list of tables belongs to the list's last one. */
function resolveLists(scan: Scan, keys: readonly string[]): (string | number)[] {
  const path: (string | number)[] = [];
  for (const key of keys) {
    path.push(key);
    const count = scan.lists.get(placeKey(path));
    if (count !== undefined) path.push(count - 1);
  }
  return path;
}

function readPair(scan: Scan, table: readonly (string | number)[]): void {
  const start = scan.at;
  const keys = readKeys(scan);
  const key = { start, end: trimEnd(scan, start) };
  if (scan.text[scan.at] !== "=") return;
  scan.at++;
  readValue(scan, [...table, ...keys], key);
}

function readKeys(scan: Scan): string[] {
  const keys: string[] = [];
  for (;;) {
    skipSpaces(scan);
    const start = scan.at;
    const quote = scan.text[start];
    if (quote === '"' || quote === "'") {
      skipString(scan);
      keys.push(scan.text.slice(start + 1, scan.at - 1));
    } else {
      while (/[A-Za-z0-9_-]/.test(scan.text[scan.at] ?? "")) scan.at++;
      keys.push(scan.text.slice(start, scan.at));
    }
    skipSpaces(scan);
    if (scan.text[scan.at] !== ".") return keys;
    scan.at++;
  }
}

function readValue(scan: Scan, path: readonly (string | number)[], key: Span | undefined): void {
  skipBlank(scan);
  const start = scan.at;
  const first = scan.text[start];
  if (first === "[") readList(scan, path);
  else if (first === "{") readInlineTable(scan, path);
  else if (first === '"' || first === "'") skipString(scan);
  else while (scan.at < scan.text.length && !/[,\]}#\n\r]/.test(scan.text[scan.at] ?? "")) scan.at++;
  const value = { start, end: trimEnd(scan, start) };
  scan.places.set(placeKey(path), { key: key ?? value, value });
}

function readList(scan: Scan, path: readonly (string | number)[]): void {
  scan.at++;
  for (let i = 0; ; i++) {
    skipBlank(scan);
    if (closes(scan, "]")) return;
    readValue(scan, [...path, i], undefined);
    skipBlank(scan);
    if (scan.text[scan.at] === ",") scan.at++;
    else if (!closes(scan, "]")) return;
    else return;
  }
}

function readInlineTable(scan: Scan, path: readonly (string | number)[]): void {
  scan.at++;
  for (;;) {
    skipBlank(scan);
    if (closes(scan, "}")) return;
    const before = scan.at;
    readPair(scan, path);
    skipBlank(scan);
    if (scan.text[scan.at] === ",") scan.at++;
    else if (closes(scan, "}") || scan.at === before) return;
  }
}

function closes(scan: Scan, bracket: string): boolean {
  if (scan.at >= scan.text.length) return true;
  if (scan.text[scan.at] !== bracket) return false;
  scan.at++;
  return true;
}

function skipString(scan: Scan): void {
  const { text } = scan;
  const quote = text[scan.at] ?? '"';
  const fence = text.startsWith(quote.repeat(3), scan.at) ? quote.repeat(3) : quote;
  scan.at += fence.length;
  while (scan.at < text.length && !text.startsWith(fence, scan.at)) {
    scan.at += quote === '"' && text[scan.at] === "\\" ? 2 : 1;
  }
  scan.at += fence.length;
  // Up to two quotes may stand in front of the closing fence.
  while (fence.length === 3 && text[scan.at] === quote) scan.at++;
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.at] === " " || scan.text[scan.at] === "\t") scan.at++;
}

function skipBlank(scan: Scan): void {
  for (;;) {
    while (/[ \t\r\n]/.test(scan.text[scan.at] ?? "")) scan.at++;
    if (scan.text[scan.at] !== "#") return;
    const end = scan.text.indexOf("\n", scan.at);
    scan.at = end < 0 ? scan.text.length : end;
  }
}

function trimEnd(scan: Scan, start: number): number {
  let end = scan.at;
  while (end > start && /[ \t\r]/.test(scan.text[end - 1] ?? "")) end--;
  return end;
}
