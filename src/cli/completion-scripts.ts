/** What is completed behind one verb; the name of a verb in a group holds a blank. */
export interface Offered {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly (readonly [spelling: string, help: string])[];
}

type First = readonly (readonly [word: string, summary: string])[];
type Script = (verbs: readonly Offered[], first: First) => string;

/** Completion for bash: words by verb, files everywhere else. */
export const bashCompletion: Script = (verbs, first) => `# completion of guarded-sh for bash
_guarded_sh() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  case "\${COMP_WORDS[1]-} \${COMP_WORDS[2]-}" in
${groupsOf(verbs)
  .map(([group, names]) => `    "${group} "*) [[ $COMP_CWORD -eq 2 ]] && words="${names.join(" ")}" ;;&`)
  .join("\n")}
${verbs.map((verb) => `    "${verb.name}"${verb.name.includes(" ") ? "" : '" "*'}) words="$words ${spellings(verb)}" ;;`).join("\n")}
  esac
  [[ $COMP_CWORD -eq 1 ]] && words="${first.map(([word]) => word).join(" ")} --help --version"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _guarded_sh guarded-sh
`;

/** Completion for zsh, with a description of every word. */
export const zshCompletion: Script = (verbs, first) => `#compdef guarded-sh
# completion of guarded-sh for zsh
_guarded_sh() {
  local -a words_of
  if (( CURRENT == 2 )); then
    words_of=(${first.map(([word, summary]) => zshItem(word, summary)).join(" ")})
    _describe verb words_of
    return
  fi
  case "$words[2] $words[3]" in
${groupsOf(verbs)
  .map(
    ([group, names]) =>
      `    "${group} "*) if (( CURRENT == 3 )); then words_of=(${names.map((name) => zshItem(name, summaryOf(verbs, `${group} ${name}`))).join(" ")}); _describe verb words_of; return; fi ;|`,
  )
  .join("\n")}
${verbs
  .map((verb) => {
    const items = verb.options.map(([spelling, help]) => zshItem(spelling, help));
    return `    "${verb.name}"${verb.name.includes(" ") ? "" : '" "*'}) words_of=(${items.join(" ")} ${zshItem("--help", "show this")}) ;;`;
  })
  .join("\n")}
  esac
  [[ $PREFIX == -* ]] && _describe option words_of || _files
}
compdef _guarded_sh guarded-sh
`;

/** Completion for fish. */
export const fishCompletion: Script = (verbs, first) => {
  const lines = ["# completion of guarded-sh for fish"];
  for (const [word, summary] of first) {
    lines.push(`complete -c guarded-sh -n __fish_use_subcommand -f -a ${word} -d ${quoted(summary)}`);
  }
  for (const [group, names] of groupsOf(verbs)) {
    for (const name of names) {
      const unless = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${names.join(" ")}`;
      lines.push(
        `complete -c guarded-sh -n ${quoted(unless)} -f -a ${name} -d ${quoted(summaryOf(verbs, `${group} ${name}`))}`,
      );
    }
  }
  for (const { name, options } of verbs) {
    const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    for (const [spelling, help] of options) {
      lines.push(`complete -c guarded-sh -n ${quoted(seen.join("; and "))} -l ${spelling.slice(2)} -d ${quoted(help)}`);
    }
  }
  return `${lines.join("\n")}\n`;
};

function spellings({ options }: Offered): string {
  return [...options.map(([spelling]) => spelling), "--help"].join(" ");
}

/** The groups with the names behind them. */
function groupsOf(verbs: readonly Offered[]): readonly (readonly [group: string, names: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { name } of verbs) {
    const [group = "", second] = name.split(" ");
    if (second !== undefined) groups.set(group, [...(groups.get(group) ?? []), second]);
  }
  return [...groups];
}

function summaryOf(verbs: readonly Offered[], name: string): string {
  return verbs.find((verb) => verb.name === name)?.summary ?? "";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function zshItem(word: string, summary: string): string {
  return quoted(`${word}:${summary.replaceAll(":", "\\:")}`);
}
