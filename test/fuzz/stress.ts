// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for bash

/** A large text and what it is made of. */
export interface Stress {
  readonly name: string;
  readonly text: string;
}

/** Parts that open something, or go on with it, when they are repeated. */
const REPEATED: readonly string[] = [
  ..."<( >( $( ${ $(( (( ( { [[ ` ' \" \\ $' \" $[ a[ a=( a[$( <<E {a, {1..9} , ; & | && || ! # * ? [ ~ $ $x = > < >> 2> {x}> &> >& +( @( !( [[("
    .split(" ")
    .map((part) => part),
  ..."${x:- \"${x:- ${x[ ${x/ ${x# \"$( \"` '$( `\\` $($( <(<( $((${ ((1+ ((a[ ((-- $((1? {a,b} a{b,c} ${x} $x $(a) `a` <(a) a=1 a=b ;; \\\\ \\' 'a' \"a\" $'a' a;".split(
    " ",
  ),
  "case x in ",
  "case x in x) ",
  "if ",
  "if a; then ",
  "while ",
  "while a; do ",
  "for x in ",
  "for x in a; do ",
  "for ((",
  "select x in a; do ",
  "f() { ",
  "f() ",
  "function f { ",
  "coproc { ",
  "time ",
  "! ",
  "[[ a && ",
  "[[ ! ",
  "[[ a =~ ",
  "elif a; then ",
  "do ",
  "then ",
  "else ",
  "esac ",
  "done ",
  "fi ",
  "} ",
  ") ",
  ")",
  "]]",
  "}",
  "))",
  "a <<E\n",
  "a <<E\nE\n",
  "$(a <<E\n",
  "a <<'E'\n$(",
  "a <<E <<F\n",
  "<<E ",
  "<<-",
  "`a <<E\n",
  "\\\n",
  "a \\\n",
  "#\n",
  "# `\n",
  "a\n",
  "a b c d\n",
  "a | ",
  "a && ",
  "a; ",
  "a & ",
  "\n",
  " ",
  "\t",
  "\r",
  "\r\n",
  "\u00a0",
  "é",
  "💥",
  "\u0001",
  "\u202e",
  "\ud800",
  "sudo ",
  "env ",
  "timeout 5 ",
  "xargs ",
  "bash -c '",
  'bash -c "',
  "eval ",
  'eval "',
  "find . -exec ",
  "env -S '",
  "nice nohup ",
  "x=$y ",
  "x=${x}a;",
  "x={a,b}{a,b};",
  "cd a; ",
  "{a,b}{c,d}{e,f}{g,h} ",
  "ls|",
  "a || cd b && ",
  "a >b >c;",
  "a=b$a;",
  "f() { a; }\nf\n",
  "f() { f; };",
  "if a; then b; fi;",
  "for i in a b; do c; done;",
  "while a; do b; done;",
  "case a in a) b;; esac;",
  "$(a);",
  "bash -c 'a';",
  "xargs a;",
  "sudo a;",
  "rm x;",
  "cat x;",
  "cp a b;",
  "ln -s a b;",
  "ln -s a b; cat b/x;",
  "rsync a b;",
  "mkdir a; cp b a;",
  ". a;",
  "sh a;",
  "> a; ./a;",
  "trap a 0;",
  "export A=1;",
  "$a;",
  "rm $a;",
  "rm *;",
];

/** Parts that are never the same: `#` stands for a number. What is remembered of one says nothing of the next. */
const COUNTED: readonly string[] = [
  "a#;",
  "x#=1;",
  "f#() { a; };",
  "f#() { x#=1; }; f#;",
  "cat #;",
  "rm #;",
  "cp # m#;",
  "ln -s # m#;",
  "ln -s # m; ",
  "cd #;",
  ". #;",
  "./#;",
  "> ./#; ./#;",
  "> #;",
  "bash -c #;",
  "sudo #;",
  "alias #=a;",
];

/** One command with thousands of words. */
const LONG: readonly (readonly [string, string])[] = [
  ["cp ", "# "],
  ["ln -s ", "# "],
  ["rm ", "# "],
  ["rm ", "$x# "],
  ["git ", "-C # "],
  ["find . ", "-exec a# \\; "],
  ["sed ", "-e s/a/#/ "],
  ["f() { ", "a#; "],
  ["if a; then b; ", "elif a; then cd #; "],
];

/** Texts of about `size` bytes of nested, unclosed or endless anything. */
export function stressTexts(size: number): Stress[] {
  const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
  const repeated = REPEATED.map((part): Stress => ({ name: `${JSON.stringify(part)} repeated`, text: filled(part) }));
  const after = ["$(", '"', "'", "((", "a <<E\n", "[[ ", "${x:-", "x=(", "case x in "].map((start): Stress => {
    return { name: `${JSON.stringify(start)} before blanks and letters`, text: start + filled("a b ") };
  });
  const counted = COUNTED.map(
    (part): Stress => ({ name: `${JSON.stringify(part)} counted`, text: numbered(part, size) }),
  );
  const long = LONG.map(([start, part]): Stress => {
    return { name: `${JSON.stringify(part)} behind ${JSON.stringify(start)}`, text: start + numbered(part, size) };
  });
  return [
    ...repeated,
    ...counted,
    ...long,
    ...after,
    ...NESTED.map(([open, middle, close]) => nested(open, middle, close, size)),
  ];
}

function numbered(part: string, size: number): string {
  let text = "";
  for (let i = 0; text.length < size; i++) text += part.replaceAll("#", i.toString(36));
  return text.slice(0, size);
}

/** Well-formed nesting: what opens, what stands inside, what closes. */
const NESTED: readonly (readonly [string, string, string])[] = [
  ["$(", "a", ")"],
  ["a $(", "a", ") b"],
  ["<(", "a", ")"],
  ["(", "a", ")"],
  ["{ ", "a", "; }"],
  ["${x:-", "a", "}"],
  ['"${x:-', "a", '}"'],
  ['"$(', "a", ')"'],
  ["$((", "1", "))"],
  ["((1+", "1", "))"],
  ["$((1+(", "1", ")))"],
  ["((a[", "1", "]))"],
  ["x=$(", "a", ")"],
  ["x=($(", "a", "))"],
  ["${x[$(", "a", ")]}"],
  ["if ", "a", "; then a; fi"],
  ["while ", "a", "; do a; done"],
  ["case x in x) ", "a", ";; esac"],
  ["f() { ", "a", "; }"],
  ["for x in a; do ", "a", "; done"],
  ["[[ ( ", "a", " ) ]]"],
  ["! ", "a", ""],
  ["a && ", "a", ""],
  ["1+", "1", ""],
  ["$(a <<E\n", "x", "\nE\n)"],
  ["{a,", "b", "}"],
];

function nested(open: string, middle: string, close: string, size: number): Stress {
  const depth = Math.floor(size / (open.length + close.length));
  return { name: `${JSON.stringify(open + close)} nested`, text: open.repeat(depth) + middle + close.repeat(depth) };
}

/** A pipeline of thousands of commands. */
export const LONG_PIPELINE = `${"ls|".repeat(5000)}ls`;

/** A long script of common lines, of at least `size` bytes: some 60 bytes for each command. */
export function longScript(size: number): string {
  const lines = [
    'for f in *.ts; do if [[ -f "$f" ]]; then cp -- "$f" "/tmp/copies/$(basename -- "$f")"; fi; done',
    "# What is counted here is only the number of files, not what they contain; see the notes.",
    "git status --porcelain=v1 --untracked-files=all --ignored=matching | grep --count --invert-match modified",
    'echo "done with ${f%.ts}: $((count + 1)) of ${#files[@]} files" >>"$HOME/logs/copies.log" 2>&1',
  ];
  const chunk = `${lines.join("\n")}\n`;
  return chunk.repeat(Math.ceil(size / chunk.length));
}
