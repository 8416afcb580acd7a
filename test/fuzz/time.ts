/** A text that took too long. */
export interface Slow {
  readonly text: string;
  readonly milliseconds: number;
}

/** How long something takes: tried again when it is over the limit, because the machine has other things to do as well. */
export function timed(what: () => unknown, limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && least > limit; tries++) {
    const start = performance.now();
    what();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
