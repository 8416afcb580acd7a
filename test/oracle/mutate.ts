/** A source of whole numbers from 0 to below `limit`, the same for the same seed. */
export type Draw = (limit: number) => number;

/** A small generator (mulberry32): fast, and the same numbers on every machine. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  };
}

/** A text with one to three small changes, such as typing mistakes, or somebody looking for a hole, would make. */
export function mutated(text: string, others: readonly string[], draw: Draw): string {
  let changed = text;
  for (let left = 1 + draw(3); left > 0; left--) changed = changedOnce(changed, others, draw);
  return changed;
}

/** What means something to bash somewhere. */
export const FRAGMENTS: readonly string[] = [
  ..."'\"`\\$(){}[]<>|&;#!=~*?@+-%/:,^ \n\t0129ax",
  ..."$( ${ $(( )) (( `zz` $(zz) <(zz) >(zz) ${x:- ${x[ [[ ]] $' $\" $[ << <<- <<< <& >& &> &>> >> >| <> |& && || ;; ;& ;;&".split(
    " ",
  ),
  ..."if then else elif fi do done case esac while until for in select function time coproc { } ! zz"
    .split(" ")
    .map((word) => ` ${word} `),
  ..."a[ a= a+= a=( 2> 10< {fd}> +( @( !( ?( *( <<E <<'E' '$(zz)' \"$(zz)\" $'$(zz)' ; \\\\ \\` \\\" \\$ #` #)".split(
    " ",
  ),
  "\\\n",
  "\\\n\n",
  "\nE\n",
  "\n\tE\n",
  "\nE",
  " # ",
  "\n#",
  "<\\\n(zz)",
  "$\\\n(zz)",
  "\r",
  "\u00a0",
  "é",
  "\u0001",
];

function changedOnce(text: string, others: readonly string[], draw: Draw): string {
  const at = draw(text.length + 1);
  const to = Math.min(text.length, at + 1 + draw(draw(4) === 0 ? 12 : 3));
  const fragment = FRAGMENTS[draw(FRAGMENTS.length)] ?? "";
  switch (draw(8)) {
    case 0:
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
    case 3:
    case 4:
      return text.slice(0, at) + fragment + text.slice(at);
    case 5:
      return text.slice(0, at) + fragment + text.slice(to);
    case 6: {
      const target = draw(text.length + 1);
      return text.slice(0, target) + text.slice(at, to) + text.slice(target);
    }
    default: {
      const other = others[draw(others.length)] ?? "";
      const from = draw(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + 1 + draw(20)) + text.slice(to);
    }
  }
}
