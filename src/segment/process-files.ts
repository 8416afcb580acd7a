import { type Hole, type Piece, type Value, valueFrom } from "./value.ts";

// Stands for a hole while a path is looked at.
const HOLE = "\uE000";
const ROOT = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/root(?=\/|$)/;
const DIRECTORY = /^(?:\/proc\/[^/]+(?:\/task\/[^/]+)?\/(?:cwd|fd\/[^/]+)|\/dev\/fd\/[^/]+)(?=\/)/;

/** What a path is as well when it goes through a process: its root is the root, its directory and its descriptors are anywhere. */
export function throughProcess(path: Value): readonly Value[] {
  const start = typeof path === "string" ? path : path.pieces[0];
  if (typeof start !== "string" || !/^\/(?:proc|dev\/fd)\//.test(start)) return NONE;
  const holes = typeof path === "string" ? [] : path.pieces.filter((piece) => typeof piece !== "string");
  const text = typeof path === "string" ? path : path.pieces.map(textOf).join("");
  const root = ROOT.exec(text);
  if (root !== null) return [restored(text.slice(root[0].length) || "/", holes, [])];
  const directory = DIRECTORY.exec(text);
  return directory === null ? [] : [restored(text.slice(directory[0].length), holes, [UNKNOWN])];
}

// Shared: of thousands of paths hardly one goes that way.
const NONE: readonly never[] = [];

const UNKNOWN: Hole = { cause: "directory", text: "?" };

function textOf(piece: Piece): string {
  return typeof piece === "string" ? piece : HOLE;
}

/** The end of a path with its holes, which are the last of them. */
function restored(text: string, holes: readonly Hole[], start: readonly Piece[]): Value {
  const [first = "", ...parts] = text.split(HOLE);
  const left = holes.slice(holes.length - parts.length);
  return valueFrom([...start, first, ...parts.flatMap((part, i): Piece[] => [left[i] ?? UNKNOWN, part])], false);
}
