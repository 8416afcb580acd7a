/** Whether each of the texts still shows what is looked for. */
export type StillShows = (texts: readonly string[]) => Promise<readonly boolean[]>;

const PATIENCE = 60;

/** A text as short as it gets by leaving parts out, large ones first, that still shows the same. */
export async function shrink(text: string, stillShows: StillShows): Promise<string> {
  let shortest = text;
  let size = Math.ceil(text.length / 2);
  for (let round = 0; round < PATIENCE && size >= 1; round++) {
    const shorter = withoutParts(shortest, size);
    const shows = await stillShows(shorter);
    const found = shorter.find((_, i) => shows[i]);
    if (found === undefined) size = size > 4 ? Math.floor(size / 2) : size - 1;
    else shortest = found;
  }
  return shortest;
}

/** Every text that is left when `size` characters are taken out, or become one letter. */
function withoutParts(text: string, size: number): string[] {
  const texts = new Set<string>();
  for (let at = 0; at + size <= text.length; at++) {
    texts.add(text.slice(0, at) + text.slice(at + size));
    if (size > 1) texts.add(`${text.slice(0, at)}a${text.slice(at + size)}`);
  }
  return [...texts];
}
