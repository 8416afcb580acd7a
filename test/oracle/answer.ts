/** A word of a command as bash has it: quotes removed, or as written when bash computes it at run time. */
export type BashWord = string | { readonly computed: string };

/** What bash makes of a text: every simple command and redirect, those of nested scripts included, in no certain order. */
export interface BashAnswer {
  /** Whether bash's parser takes the whole text. Of another it runs the lines before the error. */
  readonly valid: boolean;
  /** False when bash has no more to tell though there may be more in the text: a word that it cannot expand, or too many. */
  readonly complete: boolean;
  readonly commands: readonly (readonly BashWord[])[];
  /** Operator and target of every redirect that has a word. */
  readonly redirects: readonly (readonly [string, BashWord])[];
}

/** A line of the builtin's output; reveal.c says what the fields mean. */
export interface Revealed {
  readonly valid: boolean;
  readonly failed: boolean;
  readonly end: "all" | "late" | "many" | "long";
  readonly found: readonly Entry[];
}

interface Entry {
  readonly at: string;
  readonly words: readonly (readonly [string, string])[];
  readonly redirects: readonly (readonly [string, string, string])[];
}

/** How often each thing was found, by its JSON. */
type Counts = Map<string, number>;

interface Found {
  readonly words?: readonly BashWord[];
  readonly redirect?: readonly [string, BashWord];
}

interface Place {
  readonly found: Counts;
  /** The tries of each word that was expanded here, by the word's number. */
  readonly words: Map<string, Map<string, Place>>;
}

/** One answer from the entries of a text. What several tries of one word found, or braces made several of, is there once. */
export function answerOf(revealed: Revealed): BashAnswer {
  const top = emptyPlace();
  for (const entry of revealed.found) {
    const { found } = placeAt(top, entry.at);
    const words = entry.words.map(([raw, plain]) => wordOf(raw, plain));
    if (words.length > 0) count(found, JSON.stringify({ words }));
    for (const [operator, raw, plain] of entry.redirects)
      count(found, JSON.stringify({ redirect: [operator, wordOf(raw, plain)] }));
  }
  const found: Found[] = [...merged(top)].flatMap(([json, times]) =>
    Array.from({ length: times }, () => JSON.parse(json)),
  );
  return {
    valid: revealed.valid,
    complete: revealed.end === "all" && !revealed.failed,
    commands: found.flatMap((each) => (each.words === undefined ? [] : [each.words])),
    redirects: found.flatMap((each) => (each.redirect === undefined ? [] : [each.redirect])),
  };
}

function emptyPlace(): Place {
  return { found: new Map(), words: new Map() };
}

function placeAt(top: Place, path: string): Place {
  let place = top;
  for (const step of path.split("/").slice(1)) {
    const [word = "", attempt = ""] = step.split(".");
    const tries = place.words.get(word) ?? new Map<string, Place>();
    place.words.set(word, tries);
    place = tries.get(attempt) ?? emptyPlace();
    tries.set(attempt, place);
  }
  return place;
}

function count(counts: Counts, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What stands here, and for each word everything that one of its tries found. */
function merged(place: Place): Counts {
  const all = new Map(place.found);
  for (const tries of place.words.values()) {
    const inWord = new Set([...tries.values()].flatMap((attempt) => [...merged(attempt).keys()]));
    for (const key of inWord) count(all, key);
  }
  return all;
}

function wordOf(raw: string, plain: string): BashWord {
  return isComputed(raw) ? { computed: withoutMarks(raw) } : withoutMarks(plain);
}

/** bash's parser puts a mark before the characters 1 and 127, which mean something to its expander. */
function withoutMarks(text: string): string {
  return text.replace(/\u0001([\u0001\u007f])/g, "$1");
}

/** Whether anything outside single quotes is expanded in a word. bash has decoded `$'…'` and `$"…"` already. */
export function isComputed(raw: string): boolean {
  if (/^[A-Za-z_]\w*\+?=\(/.test(raw)) return true; // `declare a=(…)`: bash makes words of what is inside
  const quoted = /\\[\s\S]|'[^']*'|"(?:[^"\\$`]|\\[\s\S]|\$(?![\w{([@*#?$!-]))*"|\$(?![\w{([@*#?$!-])/g;
  return /[$`"]|[<>]\(/.test(raw.replace(quoted, ""));
}
