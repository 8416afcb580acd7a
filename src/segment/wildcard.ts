/** Whether a text matches a pattern of the dictionary: `*` is any run of characters, `?` one, the rest literal. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let i = 0;
  while (i < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      resume = i;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
