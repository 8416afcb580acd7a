import { type Place, type Places, placeKey, placesOf } from "../policy/toml-spans.ts";
import { tomlKey } from "./toml-insert.ts";

/** Keys and positions in lists, from the top of a document. */
export type TomlPath = readonly (string | number)[];

/** A change inside one item of a list of tables. */
export interface TomlChange {
  /** Of the table: `["command", 0, "options"]`. It is made when it is not there. */
  readonly path: TomlPath;
  readonly key: string;
  /** What the key becomes, or what its list gets at its end. */
  readonly value: unknown;
  readonly adds?: true;
  /** The key that it has so far. */
  readonly was?: string;
}

/**
 * A TOML text with a change, however the table is written: below a header, inline, or not yet at all. Everything else stays. The caller
 * reads the text again: what was written with dotted keys cannot always be added to.
 */
export function changeToml(text: string, { path, key, value, adds, was = key }: TomlChange): string {
  const places = placesOf(text);
  const known = places.get(placeKey([...path, was]));
  if (known === undefined) return setNew(text, places, path, key, tomlValue(adds ? [value] : value));
  if (adds) return addToList(text, places, [...path, key], tomlValue(value));
  const replaced = splice(text, known.value.start, known.value.end, tomlValue(value));
  return was === key ? replaced : splice(replaced, known.key.start, known.key.end, tomlKey(key));
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`)
    .join(", ")} }`;
}

function setNew(text: string, places: Places, path: TomlPath, key: string, value: string): string {
  const table = places.get(placeKey(path));
  if (table !== undefined) return addTo(text, table, places, `${tomlKey(key)} = ${value}`);
  const outer = path.slice(0, -1);
  // Inside an inline table there are no headers: what is to come is one as well.
  if (isInline(text, places, outer))
    return setNew(text, places, outer, String(path.at(-1)), `{ ${tomlKey(key)} = ${value} }`);
  const names = path.filter((part) => typeof part === "string");
  const end = endOfItem(text, path.slice(0, 2), places);
  return splice(text, end, end, `\n[${names.map(tomlKey).join(".")}]\n${tomlKey(key)} = ${value}`);
}

function isInline(text: string, places: Places, path: TomlPath): boolean {
  const depths = Array.from(path, (_, i) => path.length - i);
  const nearest = depths.map((depth) => places.get(placeKey(path.slice(0, depth)))).find((place) => place);
  return nearest !== undefined && text[nearest.value.start] === "{";
}

function addTo(text: string, table: Place, places: Places, pair: string): string {
  const { start, end } = table.value;
  if (text[start] !== "{") {
    const at = endOfTable(text, end, places);
    return splice(text, at, at, `\n${pair}`);
  }
  const inside = text.slice(start + 1, end - 1).trimEnd();
  return splice(text, start + 1, end - 1, `${inside}${inside.trim() === "" ? "" : ","} ${pair} `);
}

/** Behind the last item, so that comments between the items stay. */
function addToList(text: string, places: Places, path: TomlPath, item: string): string {
  let [count, end] = [0, (places.get(placeKey(path))?.value.start ?? 0) + 1];
  for (let next = places.get(placeKey([...path, 0])); next; next = places.get(placeKey([...path, count]))) {
    end = next.value.end;
    count++;
  }
  return splice(text, end, end, count === 0 ? item : `, ${item}`);
}

/** The end of the line of the last pair below a header, a comment behind it included. */
function endOfTable(text: string, header: number, places: Places): number {
  const next = Math.min(text.length, ...headersOf(text, places).filter((start) => start >= header));
  const ends = [...places.values()].filter(({ key, value }) => key.start >= header && value.end <= next);
  const line = text.indexOf("\n", Math.max(header, ...ends.map(({ value }) => value.end)));
  return line < 0 ? text.length : line;
}

/** The end of the last table of one item of a list of tables. */
function endOfItem(text: string, item: TomlPath, places: Places): number {
  const starts = new Set(headersOf(text, places));
  const own = [...places].filter(
    ([key, { value }]) => `${key}\u0000`.startsWith(`${placeKey(item)}\u0000`) && starts.has(value.start),
  );
  return endOfTable(text, Math.max(0, ...own.map(([, { value }]) => value.end)), places);
}

/** Where the headers of tables begin; an item of a list may look like one. */
function headersOf(text: string, places: Places): readonly number[] {
  const all = [...places.values()];
  const pairs = all.filter(({ key, value }) => key.start !== value.start);
  return all
    .filter(({ key, value }) => key.start === value.start && text[value.start] === "[")
    .filter(({ value: { start } }) => !pairs.some(({ value }) => value.start <= start && start < value.end))
    .map(({ value }) => value.start);
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}
