import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyGrants } from "../../src/ask/apply-grants.ts";
import { grantRule } from "../../src/ask/grant-rules.ts";
import { check, checkRequest, openGuard } from "../../src/guard.ts";
import { type Context, evaluate, evaluateRequest, type Policy } from "../../src/policy/index.ts";
import { CWD, ENV, HOME, policyOf, segmentsIn } from "./judge.ts";

const own = () => ({
  folders: [
    `${HOME}/.config/guarded-sh`,
    `${HOME}/.local/state/guarded-sh`,
    "/etc/guarded-sh",
    "/usr/lib/node_modules/guarded-sh",
  ],
  files: [`${CWD}/guarded-sh.toml`, "/srv/rules/team.toml", "/usr/bin/guarded-sh"],
});
const LINKS = new Map([
  ["/tmp/link", `${HOME}/.config/guarded-sh/policy.toml`],
  ["/tmp/l/policy.toml", `${HOME}/.config/guarded-sh/policy.toml`],
]);
const context: Context = {
  cwd: CWD,
  home: HOME,
  projectRoot: CWD,
  env: ENV,
  own,
  realPath: (path) => LINKS.get(path) ?? path,
  isDirectory: (path) => (path === CWD || path === `${HOME}/.config` ? true : undefined),
};
const lenient = policyOf(["allow *", "allow *: *"], "allow");

function decide(text: string, policy: Policy = lenient): string {
  return evaluate(segmentsIn(text), policy, context).decision;
}

describe("no rule allows writing what guarded-sh itself goes by", () => {
  test.each([
    "echo x > guarded-sh.toml",
    "echo x >> ./guarded-sh.toml",
    "echo x >| src/../guarded-sh.toml",
    "echo x | tee guarded-sh.toml",
    "echo x > GUARDED-SH.TOML",
    "sed -i s/deny/allow/ guarded-sh.toml",
    "rm -f 'guarded'-sh.toml",
    "mv guarded-sh.toml old.toml",
    "mv new.toml guarded-sh.toml",
    "cp /tmp/guarded-sh.toml .",
    "cp -t . /tmp/guarded-sh.toml",
    "cd /tmp && cp new.toml /work/project/guarded-sh.toml",
    "truncate -s0 guarded-sh.toml",
    "chmod 000 guarded-sh.toml",
    "dd of=guarded-sh.toml",
    "git rm guarded-sh.toml",
    "git restore guarded-sh.toml",
    "git checkout HEAD~1 -- guarded-sh.toml",
    "git checkout guarded-sh.toml",
    "curl -O https://example.com/guarded-sh.toml",
    "wget 'https://example.com/guarded-sh.toml?x=1'",
    "curl --output-dir . -O https://example.com/a/guarded-sh.toml",
    "tar -xf a.tar guarded-sh.toml",
    "tar -C ~/.config -xf a.tar guarded-sh/policy.toml",
    "unzip a.zip .guarded-sh/policy.toml",
    "sed -n 'w guarded-sh.toml' a.txt",
    "awk '{print > \"guarded-sh.toml\"}' a.txt",
    "echo guarded-sh.toml | xargs cp a.txt",
    "find . -name guarded-sh.toml -exec cp a.txt {} ';'",
    "patch guarded-sh.toml < x",
    "ln -s guarded-sh.toml other",
    "ln ~/.config/guarded-sh/policy.toml other",
    "rm -rf .guarded-sh",
    "cd .guarded-sh && rm policy.toml",
    "sh -c 'echo > .guarded-sh/policy.toml'",
    "sudo rm /etc/guarded-sh/policy.toml",
    "rm ~/.config/guarded-sh/policy.toml",
    "rm -rf ~/.config/guarded-sh",
    "echo {} > ~/.local/state/guarded-sh/trust.json",
    "rm ~/.local/state/guarded-sh/guarded-sh.db",
    "echo x > /srv/rules/team.toml",
    "rm -rf /usr/lib/node_modules/guarded-sh/dist",
    "rm /usr/bin/guarded-sh",
    "echo x > /tmp/link",
    "rm /tmp/l/policy.toml",
    'echo x > "$d/guarded-sh.toml"',
    "for f in a guarded-sh.toml; do rm $f; done",
    "cd $d && echo x > guarded-sh.toml",
    "cd ~/.config/guarded-sh; cd nowhere; rm policy.toml",
    "cp x.toml .guarded-sh/policy.toml",
    "cp policy.toml ~/.config/guarded-sh",
    "ln -s ~ q && mkdir -p q/.config/guarded-sh && cp a.txt q/.config/guarded-sh/policy.toml",
    "ln -s . q; echo > q/guarded-sh.toml",
    "ln -s .guarded-sh q; echo > q/policy.toml",
    "ln -s ~/.config q; mv q r; rm r/guarded-sh/policy.toml",
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  test.each([
    "rm -rf ~/.config",
    "mv ~/.config ~/x",
    "rm -rf ~",
    "rm -rf .",
    "mv ../project ../other",
    "rm guarded-sh.*",
    "rm *",
    "rm -rf ~/.*",
    "rm -rf /home/*",
    "echo x > .guarded$x",
    'echo x > "$HOME/.config/$x/policy.toml"',
    "chmod -R go-w .",
    "chown -R me ~/.config",
    "find . -delete",
    "tar -C ~/.config -xf a.tar",
    "cp -r x/. ~/.config",
    "mydb ~/.local/state/guarded-sh/guarded-sh.db 'delete from grant'",
    "mytool guarded-sh.toml",
    "mytool --out=guarded-sh.toml",
    "python3 -c \"open('guarded-sh.toml','w')\"",
    "git checkout .",
    "git restore .",
    "unzip a.zip 'guard*'",
    "find . -iname 'guarded*' -exec cp a.txt {} +",
    "find /srv -type f -name 'team.*' -exec tee {} ';'",
    "find ~/.config -name policy.toml -exec rm {} ';'",
    "find . -name '*.toml' -exec sed -i s/deny/allow/ {} +",
    "find . -path '*guarded-sh.toml' -delete",
    "cp src/g* .",
    "cp -t . new/*",
    "mv src/g* .",
    "cp -r src/. .",
    "cp -rT src .",
    "cp -r src/* ./",
    "rsync -a src/ .",
    "rsync -a rules/ /srv/rules/",
  ])("%s has to be asked", (text) => {
    expect(decide(text)).toBe("ask");
  });

  test.each([
    "cat guarded-sh.toml",
    "grep deny guarded-sh.toml .guarded-sh/policy.toml",
    "git diff guarded-sh.toml",
    "git add guarded-sh.toml && git commit -m 'guarded-sh.toml: allow tests'",
    "cp guarded-sh.toml /tmp/x",
    "echo x > out.toml",
    'echo x > "$log"',
    'rm "$x"',
    "rm *.ts",
    "rm -rf build ~/.config/other",
    "touch ~/.config/other.toml",
    "find . -name '*.o' -delete",
    "cp a.txt .",
    "black .",
    "prettier --write .",
    "tar -xf a.tar -C .",
    "git checkout main",
    "git checkout -b guarded-sh",
    "git diff HEAD~1 -- guarded-sh.toml",
    "tar -tf a.tar guarded-sh.toml",
    "tar -xf a.tar src",
    "curl -O https://example.com/a.toml",
    "cp -r src lib .",
    'cp a.txt "$to"',
    'cp "$x" .',
    'cp src/* "$to"',
    "find . -name '*.ts' -exec cp a.txt {} ';'",
    "find . -name '*.log' -exec rm {} +",
    "find src -type f -exec sed -i s/a/b/ {} +",
    "cp src/*.txt .",
    "cp -r src/. dist",
    "cp -r src/* dist",
    "mv src/*.ts lib",
    "rsync -a src/ dist/",
    "echo guarded-sh.toml",
    "npm test",
  ])("%s is nothing of that", (text) => {
    expect(decide(text)).toBe("allow");
  });

  const WRITES = ["echo x > guarded-sh.toml", "rm -rf .guarded-sh", "sed -i d guarded-sh.toml", "guarded-sh trust"];
  test.each<[string, (text: string) => string]>([
    ["a subshell", (text) => `(${text})`],
    ["a group", (text) => `{ ${text}; }`],
    ["if", (text) => `if true; then ${text}; fi`],
    ["a loop", (text) => `for i in 1 2; do ${text}; done`],
    ["a substitution", (text) => `echo "$(${text})"`],
    ["backquotes", (text) => `echo \`${text}\``],
    ["bash -c", (text) => `timeout 5 bash -c '${text}'`],
    ["eval", (text) => `eval "${text}"`],
    ["a here-document", (text) => `bash <<'E'\n${text}\nE`],
    ["a function", (text) => `f() { ${text}; }; f`],
    ["a pipeline", (text) => `ls | ${text}`],
    ["find -exec", (text) => `find . -exec sh -c '${text}' ';'`],
    ["another command behind it", (text) => `${text} && ls`],
  ])("nor inside %s", (_, around) => {
    expect(WRITES.map((text) => decide(around(text)))).toEqual(["deny", "deny", "deny", "ask"]);
  });

  test("the reason says which place it is", () => {
    const [verdict] = evaluate(segmentsIn("rm guarded-sh.toml"), lenient, context).effects;
    expect(verdict).toMatchObject({
      decision: "deny",
      because: [
        {
          kind: "protection",
          message: "changes what guarded-sh itself goes by (/work/project/guarded-sh.toml): no rule can allow that",
        },
      ],
    });
  });

  test("without a policy there is nothing to protect", () => {
    expect(decide("rm guarded-sh.toml", { documents: [] })).toBe("allow");
  });
});

test.each([
  ["guarded-sh trust", "bash", "guarded-sh trust"],
  ["guarded-sh trust", "bash", "*"],
  ["rm guarded-sh.*", "file_write", "**"],
  ["chmod -R go-w .", "file_write", "*"],
])("%s is asked about whatever grants there are (%s %s)", (text, tool, pattern) => {
  const segmentation = segmentsIn(text);
  const evaluation = evaluate(segmentation, policyOf([], "ask"), context);
  const grants = [
    { tool: "bash", pattern: "*", exact: false },
    { tool, pattern, exact: pattern === text },
  ].map((grant) => grantRule(grant, { home: HOME, env: ENV, windows: false }));
  expect(applyGrants({ segmentation, evaluation, context }, grants).evaluation.decision).toBe("ask");
});

describe("tools of a host", () => {
  test.each([
    ["edit", "guarded-sh.toml", "deny"],
    ["write", "./src/../guarded-sh.toml", "deny"],
    ["apply_patch", "/work/project/.guarded-sh/policy.toml", "deny"],
    ["file_write", "~/.config/guarded-sh/policy.toml", "deny"],
    ["multiedit", "/tmp/link", "deny"],
    ["fs.write_file", "/work/project/guarded-sh.toml", "ask"],
    ["read", "guarded-sh.toml", "allow"],
    ["grep", "guarded-sh.toml", "allow"],
    ["edit", "src/main.ts", "allow"],
  ])("%s %s → %s", (tool, subject, decision) => {
    expect(evaluateRequest({ tool, subject }, lenient, context).decision).toBe(decision);
  });
});

describe("what is judged does not answer its own questions", () => {
  test.each([
    "guarded-sh trust",
    "guarded-sh trust --revoke",
    "guarded-sh requests reply 1 once",
    "guarded-sh grants clear",
    "guarded-sh init claude",
    "guarded-sh policy lint --fix",
    "guarded-sh arity add x",
    "guarded-sh run ls",
    "guarded-sh -c ls",
    'guarded-sh "$verb"',
    "guarded-sh check $x",
    "./node_modules/.bin/guarded-sh trust",
    "node /usr/lib/node_modules/guarded-sh/bin/guarded-sh.js trust",
    "npx guarded-sh trust",
    "npx -y guarded-sh@latest trust",
    "npm exec guarded-sh trust",
    "pnpm dlx guarded-sh grants clear",
    "env A=1 guarded-sh trust",
    "sh -c 'guarded-sh trust'",
    "echo once | xargs guarded-sh requests reply 1",
    "cp -r /usr/lib/node_modules/guarded-sh/dist q; node q/cli.cjs trust",
    "cd /usr/lib/node_modules/guarded-sh && node ./dist/cli.cjs trust",
    "node /usr/lib/node_modules/guarded-sh/bin/*.js trust",
    "node --no-warnings dist/cl?.cjs grants clear",
    "find /usr/lib/node_modules/guarded-sh/bin -name '*.js' -exec node {} trust ';'",
    'node "$x" requests reply 1 once',
    "./dist/cli.cjs policy lint --fix",
    "bun run ./cli.cjs trust",
    "mynode q/cli.cjs trust",
    "ln -s ~ q && mkdir -p q/.config && node q/cli.cjs trust",
  ])("%s has to be asked", (text) => {
    expect(decide(text)).toBe("ask");
  });

  test.each([
    "guarded-sh --help",
    "guarded-sh check 'rm -rf x'",
    "guarded-sh test",
    "guarded-sh trust --list",
    "guarded-sh grants list",
    "guarded-sh requests --json",
    "guarded-sh policy lint",
    "npm install -D guarded-sh",
    "npm view guarded-sh",
    "node dist/cli.cjs build",
    "node server.js policy",
    "python3 manage.py grants",
    "grep -r policy dist/cli.cjs",
    "git add dist/cli.cjs policy",
  ])("%s only looks", (text) => {
    expect(decide(text)).toBe("allow");
  });
});

describe("with real files", () => {
  let root = "";
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "own-")));
    mkdirSync(join(root, "repo/.git"), { recursive: true });
    mkdirSync(join(root, "home"));
    writeFileSync(join(root, "rules.toml"), '[permissions]\ndefault_action = "allow"\n');
    symlinkSync(join(root, "rules.toml"), join(root, "repo/other"));
    symlinkSync(join(root, "repo"), join(root, "repo/self"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("a policy given on the command line is found behind links", () => {
    const guard = openGuard({
      cwd: join(root, "repo"),
      env: { HOME: join(root, "home"), PATH: "/usr/bin:/bin" },
      policyFiles: [join(root, "rules.toml")],
      managedPath: join(root, "managed.toml"),
    });
    const texts = ["echo > other", "echo > ../rules.toml", "rm ../rules.*", "echo > self/guarded-sh.toml", "rm x"];
    expect(texts.map((text) => check(guard, text).result.decision)).toEqual(["deny", "deny", "ask", "deny", "allow"]);
    expect(checkRequest(guard, "edit", "other").decision).toBe("deny");
    expect(check(guard, "echo > other").result.effects[0]?.because[0]).toMatchObject({
      kind: "protection",
      suggest: "ask the user to do this",
    });
  });
});
