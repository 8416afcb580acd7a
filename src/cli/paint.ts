import { type Paint, plain } from "../result/index.ts";

const code = (number: number) => (text: string) => `\u001b[${number}m${text}\u001b[0m`;

/** Colours for a terminal. */
const coloured: Paint = { allow: code(32), ask: code(33), deny: code(31), dim: code(2) };

export function paintFor(colours: boolean): Paint {
  return colours ? coloured : plain;
}
