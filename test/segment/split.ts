import { type Segmentation, type Surroundings, segmentsOf, shownValue } from "../../src/segment/index.ts";
import { absolutePath } from "../../src/text/index.ts";

/** A world without files, in which PATH finds everything in /usr/bin. */
export const WORLD: Surroundings = {
  cwd: absolutePath("/repo"),
  home: absolutePath("/home/ada"),
  env: new Map([
    ["HOME", "/home/ada"],
    ["USER", "ada"],
    ["LIST", "one two"],
  ]),
  findProgram: (name) => (["git", "ls", "rm", "cat", "bash"].includes(name) ? `/usr/bin/${name}` : undefined),
};

/** The same with some files. */
export function worldWith(files: Readonly<Record<string, string>>): Surroundings {
  const texts = new Map(Object.entries(files));
  return { ...WORLD, readText: (path) => texts.get(path) };
}

export function split(text: string, world: Surroundings = WORLD): Segmentation {
  return segmentsOf({ name: "command line", text }, world);
}

/** Every segment as one line: its words, with holes as written, and where it was found unless in the text itself. */
export function lines(text: string, world: Surroundings = WORLD): string[] {
  return split(text, world).segments.map(({ words, assignments, origin }) => {
    const shown = [...assignments.map((assignment) => assignment.text), ...words.map(shownValue)].join(" ");
    return origin === "text" ? shown : `${origin}: ${shown}`;
  });
}

export function codes(text: string, world: Surroundings = WORLD): string[] {
  return [...new Set(split(text, world).findings.map(({ code }) => code))].sort();
}

/** Every effect as `access path`. */
export function effects(text: string, world: Surroundings = WORLD): string[] {
  return split(text, world).effects.map(({ access, path, otherPaths }) =>
    [`${access} ${shownValue(path)}`, ...otherPaths.map(shownValue)].join(" or "),
  );
}
