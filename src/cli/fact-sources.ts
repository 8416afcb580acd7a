import { basename } from "node:path";
import { entryLayers, type Segment } from "../dictionary.ts";
import type { Guard } from "../guard.ts";
import { shownPath } from "./place.ts";
import type { FactSource } from "./word-roles.ts";

/** Every file that says something of a program: the user's over the curated one over the generated one. */
export function factSources(guard: Guard, name: string): readonly FactSource[] {
  const { cwd, home } = guard.surroundings;
  const own = guard.loaded.files.flatMap(({ path, trusted, entries }) => {
    const entry = trusted ? entries.get(name) : undefined;
    return entry === undefined ? [] : [{ file: shownPath(path, cwd, home), entry }];
  });
  return [...own, ...entryLayers(name).map(({ file, entry }) => ({ file: `arity/${file}`, entry }))];
}

/** The same for the program of a segment, a directory left out. */
export function sourcesOf(guard: Guard, { words }: Segment): readonly FactSource[] {
  const [program] = words;
  return typeof program === "string" ? factSources(guard, basename(program)) : [];
}
