import { FAMILIES, type Family, sentences } from "./grammar.ts";
import { drawFrom, mutated } from "./mutate.ts";
import { thingsInPlaces } from "./places.ts";
import { WRITTEN } from "./written.ts";

/** A text and where it comes from. */
export interface Line {
  readonly text: string;
  readonly family: Family | "written" | "places" | "mutated";
}

/** How many texts of each generated family, and of mutated ones, and what they grow from. */
export interface Size {
  readonly seed: number;
  readonly perFamily: number;
  readonly mutated: number;
}

/** The corpus: all written lines, everything in every place, and generated and mutated texts. The same seed, the same texts. */
export function corpusOf({ seed, perFamily, mutated: changes }: Size): Line[] {
  const kept: Line[] = [
    ...WRITTEN.map((text): Line => ({ text, family: "written" })),
    ...thingsInPlaces().map((text): Line => ({ text, family: "places" })),
    ...FAMILIES.flatMap((family, i) => sentences(family, perFamily, seed + i).map((text): Line => ({ text, family }))),
  ];
  const texts = kept.map(({ text }) => text).filter((text) => text.length < 200);
  const draw = drawFrom(seed);
  const changed = Array.from({ length: changes }, (): Line => {
    return { text: mutated(texts[draw(texts.length)] ?? "", texts, draw), family: "mutated" };
  });
  const byText = new Map([...changed, ...kept].map((line) => [line.text, line]));
  return [...byText.values()].filter(({ text }) => text.trim() !== "" && !text.includes("\0"));
}
