import { quote } from "shell-quote";

/** Words as one text that bash reads back as exactly those words. */
export function quoteWords(words: readonly string[]): string {
  return quote([...words]);
}
