// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for bash
import fc, { type Arbitrary } from "fast-check";

/** The families of generated texts: each puts one part of bash's grammar in the middle, everything may stand inside. */
export type Family = keyof typeof grammar;

/** `count` texts of a family; the same seed gives the same texts. */
export function sentences(family: Family, count: number, seed: number): string[] {
  return fc.sample(grammar[family], { numRuns: count, seed });
}

const one = <T>(...of: T[]): Arbitrary<T> => fc.constantFrom(...of);
/** The templates' holes `@` filled from left to right, each by its own draw. */
const shape = (templates: readonly string[], hole: Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...templates), fc.array(hole, { minLength: 5, maxLength: 5 })).map(([template, fills]) => {
    let next = 0;
    return template.replace(/@/g, () => fills[next++ % fills.length] ?? "");
  });
const program = one("aa", "bb", "cc", "dd", "./ee", "ff-gg", "hh_1");
const name = one("x", "y", "z9", "_u", "PATHX", "a");
const blank = fc.oneof(
  { weight: 12, arbitrary: one(" ") },
  { weight: 1, arbitrary: one("  ", "\t", " \\\n", "\\\n ") },
);
const plain = one(
  "p",
  "q1",
  "-r",
  "--s-t",
  "u=v",
  "w.x",
  "/y/z",
  "1",
  "2",
  "{}",
  "%",
  "a,b",
  "@",
  "+",
  ":",
  "]",
  "!",
  "=",
  "~",
  "~/k",
  "^",
);
const glob = one("*", "?", "*.c", "[ab]", "[!a]*", "**/d", "[[:alpha:]]", "a[", "]");
const escaped = one("\\ ", "\\$", "\\\\", "\\'", '\\"', "\\`", "\\(", "\\;", "\\#", "\\n", "\\\n", "\\&", "\\<", "\\~");
const single = one(
  "''",
  "'s t'",
  "'$x'",
  "'$(no)'",
  "'`no`'",
  "'\"'",
  "'\\'",
  "'a\nb'",
  "'# no'",
  "'<(no)'",
  "'${'",
  "')'",
  "';'",
);
const ansi = one(
  "$'a'",
  "$'\\n'",
  "$'\\''",
  "$'\\x41'",
  "$'\\\\'",
  "$'$(no)'",
  "$'\\101'",
  "$'\\u41'",
  "$'\"'",
  "$'`'",
  "$'\\c?'",
  "$'\\e'",
  "$''",
);
const braces = one(
  "{a,b}",
  "{1..3}",
  "{a..c..2}",
  "x{,y}z",
  "{a,{b,c}}",
  "{a}",
  "{,}",
  "{a,b",
  "a,b}",
  "{'a',\"b c\"}",
  "{a\\,b}",
  "${x}{a,b}",
);
const simpleVariable = one(
  "$x",
  "$1",
  "$@",
  "$*",
  "$#",
  "$?",
  "$$",
  "$!",
  "$-",
  "$_",
  "${x}",
  "${10}",
  "${#x}",
  "${!x}",
  "${!x*}",
  "${x@Q}",
  "${#}",
  "${@}",
  "${x[@]}",
  "${#x[@]}",
  "${!x[@]}",
  "$",
  "$%",
  "${a[1]}",
);
const comment = one("# c", "#", "#!x", "# $(no)", "# `no`", "# 'no", '# "no', "# <<E", "# ) }", "# \\");
const arithmeticPlain = one(
  "1",
  "0x1f",
  "10#9",
  "x",
  "x++",
  "--y",
  "-1",
  "!x",
  "~2",
  "a[1]",
  "a[x]=2",
  "x=1",
  "x+=2",
  "1,2",
  "x?1:2",
  "(1)",
  "1<<2",
  "x>1",
  "1==2",
  "x&&y",
  "x|y",
  "x**2",
  "x%3",
  "'1'",
  '"2"',
  "$x",
  "${x}",
  "$#",
  "\\\n1",
);
const operator = one(
  "+",
  "-",
  "*",
  "/",
  "%",
  "<<",
  ">>",
  "<",
  ">",
  "&&",
  "||",
  "&",
  "|",
  "^",
  ",",
  "==",
  "!=",
  "**",
  " + ",
  "\n+\n",
);
const redirectOperator = one(
  ">",
  ">>",
  "<",
  "<>",
  ">|",
  "&>",
  "&>>",
  "2>",
  "1>>",
  "0<",
  "10>",
  "{fd}>",
  "{fd}<",
  ">&",
  "<<<",
  "3<<<",
  "2>|",
  "{a[1]}>",
);
const duplication = one("2>&1", ">&2", "1>&-", "<&0", "<&-", "3>&1-", "2>&$x", "0<&3", "{fd}>&-", "{fd}<&1");
const delimiter = one("E", "EOF", "'E'", '"E"', "\\E", "E'F'", "$'E'", "-", "a b", "E\\\nF");
const heredocLine = one(
  "text",
  "$x",
  "${x}",
  "a b ; c",
  "'",
  '"',
  "\\$x",
  "\\\\",
  "\\",
  "# no",
  " E",
  "\tE",
  "E ",
  "`",
  "<(no)",
  "(",
  "$(",
  "${x:-'y'}",
  "$((1+2))",
  "\\`",
  "$'x'",
  '"$x"',
);
const parameterOperator = one(
  ":-",
  "-",
  ":=",
  "=",
  ":+",
  "+",
  "#",
  "##",
  "%",
  "%%",
  "/",
  "//",
  "/#",
  "/%",
  "^",
  "^^",
  ",",
  ",,",
  ":",
  ":1:",
  ":?",
  "?",
  "@",
  "~",
);

const depth = { maxDepth: 6, depthIdentifier: fc.createDepthIdentifier() } as const;
const backquoted = (script: string): string => `\`${script.replace(/[\\`]/g, "\\$&")}\``;
const joined = (of: Arbitrary<string>, most: number, between = ""): Arbitrary<string> =>
  fc.array(of, { minLength: 1, maxLength: most }).map((all) => all.join(between));

const {
  script,
  command,
  compound,
  word,
  words,
  quoted,
  substitution,
  parameter,
  arithmetic,
  test,
  heredoc,
  redirect,
  assignment,
} = fc.letrec<Record<string, string>>((tie) => {
  const rec = (key: string) => tie(key) as Arbitrary<string>;
  const list = fc.tuple(
    joined(rec("statement"), 3),
    fc.oneof(
      { weight: 8, arbitrary: one("") },
      comment.map((c) => ` ${c}\n`),
    ),
  );
  return {
    script: list.map(([all, end]) => all.replace(/(; |\n)$/, (last) => (last === "; " ? "" : last)) + end),
    statement: fc.oneof(
      { ...depth },
      {
        weight: 6,
        arbitrary: fc
          .tuple(
            rec("command"),
            one("; ", "\n", " & ", " && aa; ", " || bb\n", ";\n", " &&\n cc\n", " | dd; ", " |& dd\n", "\n\n"),
          )
          .map((p) => p.join("")),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(rec("command"), one(" && ", " || ", " | ", " |& ", "|", "&&", "||\n"), rec("command"), one("; ", "\n"))
          .map((p) => p.join("")),
      },
      { weight: 1, arbitrary: rec("heredoc") },
      { weight: 1, arbitrary: fc.tuple(rec("command"), comment).map(([c, note]) => `${c} ${note}\n`) },
    ),
    command: fc.oneof(
      { ...depth },
      { weight: 10, arbitrary: fc.tuple(program, rec("words")).map(([p, w]) => p + w) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(joined(rec("assignment"), 2, " "), fc.option(program, { nil: "" }), one("", " p"))
          .map(([a, p, w]) => (p === "" ? a : `${a} ${p}${w}`)),
      },
      {
        weight: 3,
        arbitrary: fc.tuple(program, rec("words"), joined(rec("redirect"), 2, " ")).map(([p, w, r]) => `${p}${w} ${r}`),
      },
      { weight: 1, arbitrary: fc.tuple(rec("redirect"), fc.option(program, { nil: "" })).map(([r, p]) => `${r} ${p}`) },
      {
        weight: 1,
        arbitrary: fc.tuple(one("! ", "time ", "time -p ", "! ! ", "time ! "), rec("command")).map((p) => p.join("")),
      },
      { weight: 1, arbitrary: rec("word") },
      { weight: 4, arbitrary: rec("compound") },
      {
        weight: 1,
        arbitrary: fc
          .tuple(one("export ", "declare -a ", "local ", "readonly ", "typeset "), rec("assignment"))
          .map((p) => p.join("")),
      },
    ),
    compound: fc
      .tuple(
        fc.oneof(
          shape(
            [
              "(@)",
              "( @ )",
              "{ @\n}",
              "if @\nthen @\nfi",
              "if @\nthen @\nelse @\nfi",
              "if @\nthen @\nelif @\nthen @\nfi",
            ],
            rec("script"),
          ),
          shape(
            [
              "while @\ndo @\ndone",
              "until @\ndo @\ndone",
              "f() { @\n}",
              "function g { @\n}",
              "function g() (@)",
              "coproc { @\n}",
              "coproc X { @\n}",
            ],
            rec("script"),
          ),
          fc
            .tuple(one("for", "select"), name, rec("words"), rec("script"))
            .map(([k, n, w, s]) => `${k} ${n} in${w}; do ${s}\ndone`),
          fc
            .tuple(
              name,
              rec("script"),
              one("for @ do", "for @; do", "for @\ndo", "for ((;;)) do", "for ((@=0;@<2;@++)); do"),
            )
            .map(([n, s, f]) => `${f.replace(/@/g, n)} ${s}\ndone`),
          fc.tuple(rec("arithmetic"), rec("script")).map(([a, s]) => `for ((@;@;)) { ${s}\n}`.replace(/@/g, () => a)),
          fc
            .tuple(
              rec("word"),
              rec("word"),
              rec("script"),
              one(
                "case @ in @) %\n;; esac",
                "case @ in (@) %\n;;\n*) zz;; esac",
                "case @ in @|q) %\n;& r) ;;& esac",
                "case @ in\n@ )\n%\nesac",
                "case @ in esac",
              ),
            )
            .map(([a, b, s, t]) => {
              const both = [a, b];
              return t.replace(/@/g, () => both.shift() ?? "").replace("%", () => s);
            }),
          rec("arithmetic").map((a) => `((${a}))`),
          rec("test").map((t) => `[[ ${t} ]]`),
        ),
        fc.oneof({ weight: 5, arbitrary: one("") }, { weight: 1, arbitrary: rec("redirect").map((r) => ` ${r}`) }),
      )
      .map((p) => p.join("")),
    words: fc
      .array(
        fc.tuple(blank, rec("word")).map((p) => p.join("")),
        { maxLength: 3 },
      )
      .map((all) => all.join("")),
    word: joined(rec("part"), 3),
    part: fc.oneof(
      { ...depth },
      { weight: 8, arbitrary: plain },
      { weight: 2, arbitrary: glob },
      { weight: 2, arbitrary: escaped },
      { weight: 3, arbitrary: single },
      { weight: 2, arbitrary: ansi },
      { weight: 2, arbitrary: braces },
      { weight: 3, arbitrary: simpleVariable },
      { weight: 4, arbitrary: rec("quoted") },
      { weight: 5, arbitrary: rec("substitution") },
      { weight: 2, arbitrary: rec("parameter") },
      { weight: 1, arbitrary: rec("arithmetic").map((a) => `$((${a}))`) },
      { weight: 1, arbitrary: rec("arithmetic").map((a) => `$[${a}]`) },
    ),
    quoted: joined(
      fc.oneof(
        { ...depth },
        plain,
        one(" ", "'", '\\"', "\\$", "\\`", "\\\\", "\\n", "\n", "(", ")", "#", ";", "\\\n", "<(no)", "$'n'", "'$x'"),
        simpleVariable,
        rec("substitution"),
        rec("parameter"),
        rec("arithmetic").map((a) => `$((${a}))`),
      ),
      3,
    ).chain((inside) => one(`"${inside}"`, `"${inside}"`, `$"${inside}"`)),
    substitution: fc.oneof(
      { ...depth },
      { weight: 6, arbitrary: rec("script").map((s) => `$(${s})`) },
      { weight: 2, arbitrary: rec("script").map((s) => `$( ${s}\n)`) },
      { weight: 4, arbitrary: rec("script").map(backquoted) },
      { weight: 2, arbitrary: rec("script").map((s) => `<(${s})`) },
      { weight: 1, arbitrary: rec("script").map((s) => `>(${s})`) },
      {
        weight: 1,
        arbitrary: one(
          "$(<f)",
          "$(< $x)",
          "$()",
          "``",
          "$((aa) | bb)",
          "$(aa `bb`)",
          "`aa $(bb)`",
          "$((aa); (bb))",
          "$( (aa) )",
        ),
      },
    ),
    parameter: fc
      .tuple(
        one("x", "y", "1", "@", "*", "x[0]", "x[@]", "!x", "#x", "x[y]"),
        parameterOperator,
        fc.oneof({ ...depth }, rec("word"), rec("word"), one("", "'}'", '"}"', "\\}", "'", "y z", "#", "a/b")),
      )
      .map(([n, o, w]) => `\${${n}${o}${w}}`),
    arithmetic: fc.oneof(
      { ...depth },
      { weight: 5, arbitrary: arithmeticPlain },
      { weight: 2, arbitrary: fc.tuple(rec("arithmetic"), operator, rec("arithmetic")).map((p) => p.join("")) },
      { weight: 1, arbitrary: rec("arithmetic").map((a) => `(${a})`) },
      { weight: 2, arbitrary: rec("substitution") },
      { weight: 1, arbitrary: rec("substitution").map((s) => `a[${s}]`) },
      { weight: 1, arbitrary: rec("substitution").map((s) => `'${s}'`) },
      { weight: 1, arbitrary: rec("parameter") },
      { weight: 1, arbitrary: rec("arithmetic").map((a) => `$((${a}))`) },
    ),
    test: fc.oneof(
      { ...depth },
      {
        weight: 4,
        arbitrary: fc
          .tuple(rec("word"), one(" == ", " != ", " = ", " < ", " > ", " -eq ", " -nt ", " =~ "), rec("word"))
          .map((p) => p.join("")),
      },
      { weight: 3, arbitrary: fc.tuple(one("-n ", "-f ", "-z ", "-v ", ""), rec("word")).map((p) => p.join("")) },
      {
        weight: 1,
        arbitrary: fc.tuple(rec("test"), one(" && ", " || ", "\n&& ", " ||\n"), rec("test")).map((p) => p.join("")),
      },
      { weight: 1, arbitrary: rec("test").map((t) => `! ${t}`) },
      { weight: 1, arbitrary: rec("test").map((t) => `( ${t} )`) },
      { weight: 1, arbitrary: rec("extended").map((e) => `$x == ${e}`) },
      {
        weight: 1,
        arbitrary: one(
          "$x =~ ^(a|b)$",
          "$x =~ [[:space:]]+",
          "a =~ (b c)",
          "x =~ $(aa)",
          "$x =~ \\(",
          "a == @(b|$(cc))",
          "x =~ [(]$(aa)",
        ),
      },
    ),
    extended: fc.tuple(one("@", "!", "*", "+", "?"), rec("word"), rec("word")).map(([o, a, b]) => `${o}(${a}|${b})`),
    assignment: fc
      .tuple(
        name,
        one("=", "=", "+=", "[1]=", "[$x]=", "[0]+="),
        fc.oneof(
          { ...depth },
          rec("word"),
          rec("word"),
          one(""),
          joined(rec("word"), 3, " ").map((w) => `(${w})`),
          fc.tuple(rec("word"), rec("word")).map(([i, w]) => `([${i}]=${w})`),
        ),
      )
      .map((p) => p.join(""))
      .filter((a) => !/\]\+?=\(/.test(a)),
    redirect: fc.oneof(
      { ...depth },
      { weight: 4, arbitrary: fc.tuple(redirectOperator, one("", "", " "), rec("word")).map((p) => p.join("")) },
      { weight: 2, arbitrary: duplication },
    ),
    heredoc: fc
      .tuple(
        fc.oneof(
          program,
          program.map((p) => `${p} q`),
          one("while aa; do bb; done", "{ aa; }", "(aa)"),
        ),
        one("<<", "<<-", " <<", " << ", " 3<<"),
        delimiter,
        one("", "", " | cc", " && cc", "; cc", " >f", " $(dd)", " # note", " <<F"),
        fc.array(
          fc.oneof(
            { ...depth },
            heredocLine,
            heredocLine,
            rec("substitution"),
            rec("parameter"),
            rec("arithmetic").map((a) => `$((${a}))`),
            rec("substitution").map((s) => `'${s}'`),
            rec("substitution").map((s) => `\\${s}`),
          ),
          { maxLength: 4 },
        ),
        one("\n", "\n", "\n", ""),
      )
      .map(([p, o, d, tail, lines, end]) => {
        const bare = d
          .replace(/\\\n/g, "")
          .replace(/^\$(?=['"])/, "")
          .replace(/['"\\]/g, "");
        const closing = `${o.includes("-") ? "\t" : ""}${d.includes(" ") ? "a" : bare}`;
        const second = tail === " <<F" ? "\nmore $(ee)\nF" : "";
        return `${p}${o}${d}${tail}\n${lines.map((line) => `${line}\n`).join("")}${closing}${second}${end === "" && second === "" ? "\n" : "\n"}`;
      }),
  };
});

/** A backslash and a newline put in anywhere: bash joins the lines before it reads on, in most places. */
const continued = fc
  .tuple(script as Arbitrary<string>, fc.array(fc.nat(), { minLength: 1, maxLength: 2 }))
  .map(([text, places]) =>
    places.reduce((all, place) => {
      const at = place % (all.length + 1);
      return `${all.slice(0, at)}\\\n${all.slice(at)}`;
    }, text as string),
  );
const strings = (of: unknown) => of as Arbitrary<string>;
const after = (template: string, of: unknown) => strings(of).map((text) => template.replace("@", () => text));

const grammar = {
  script: strings(script),
  command: strings(command),
  compound: strings(compound),
  words: after("aa@", words),
  word: after("aa @", word),
  quoted: after("aa @", quoted),
  substitution: after("aa @", substitution),
  parameter: after("aa @", parameter),
  arithmetic: fc.oneof(
    after("((@))", arithmetic),
    after("aa $((@))", arithmetic),
    after("a[@]=1", arithmetic),
    after("aa ${x:@}", arithmetic),
  ),
  test: after("[[ @ ]]", test),
  heredoc: strings(heredoc),
  nestedHeredoc: fc.oneof(
    after("aa $(@)", heredoc),
    after('aa "$(@)"', heredoc),
    strings(heredoc).map((h) => `aa ${backquoted(h)}`),
    after("aa <(@)", heredoc),
    after("( @ )", heredoc),
    after("f() { @}", heredoc),
    after("x=$(@) bb", heredoc),
  ),
  redirect: fc.tuple(program, joined(strings(redirect), 3, " ")).map(([p, r]) => `${p} ${r}`),
  assignment: fc.oneof(strings(assignment), after("@ aa", assignment), after("declare @", assignment)),
  continued,
} as const;

export const FAMILIES = Object.keys(grammar) as readonly Family[];
