/** Whether each of the texts still shows what is looked for. */
export type StillShows = (texts: readonly string[]) => Promise<readonly boolean[]>;

const ROUNDS = 40;

/** A text as short as it gets by leaving parts out, or putting a plain letter in their place, that still shows the same. */
export async function shrink(text: string, stillShows: StillShows): Promise<string> {
  let shortest = text;
  for (let round = 0; round < ROUNDS; round++) {
    const shorter = shorterTexts(shortest);
    const shows = await stillShows(shorter);
    const found = shorter.find((_, i) => shows[i]);
    if (found === undefined) return shortest;
    shortest = found;
  }
  return shortest;
}

/** Every text with one part left out, the shortest first, then those with a letter in place of a longer part. */
function shorterTexts(text: string): string[] {
  const texts = new Set<string>();
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size > 8 ? Math.floor(size / 2) : size - 1)
    for (let at = 0; at + size <= text.length; at++) texts.add(text.slice(0, at) + text.slice(at + size));
  for (let size = 8; size >= 2; size--)
    for (let at = 0; at + size <= text.length; at++) texts.add(`${text.slice(0, at)}a${text.slice(at + size)}`);
  texts.delete(text);
  return [...texts].filter((shorter) => shorter.length < text.length);
}
