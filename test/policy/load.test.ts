import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  evaluate,
  findDocuments,
  type LoadSetting,
  loadPolicyFile,
  readTrust,
  revokeTrust,
  trust,
  trustFile,
} from "../../src/policy/index.ts";
import { DiagnosticError } from "../../src/text/index.ts";
import { segmentsIn } from "./judge.ts";

let root = "";
let setting: LoadSetting = { cwd: "/", home: "/", env: new Map() };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "policy-"));
  for (const directory of ["home", "repo/.git", "repo/sub/dir", "presets"])
    mkdirSync(join(root, directory), { recursive: true });
  const home = join(root, "home");
  setting = {
    cwd: join(root, "repo/sub/dir"),
    home,
    env: new Map([["HOME", home]]),
    presets: join(root, "presets"),
    managedPath: join(root, "managed.toml"),
  };
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** `deny rm *` lines and a default, as TOML. */
function policy(otherwise: string, ...rules: string[]): string {
  const tables = rules.map((line) => {
    const [action, ...pattern] = line.split(" ");
    return `[[permissions.rule]]\ntool = "bash"\npattern = "${pattern.join(" ")}"\naction = "${action}"\n`;
  });
  return `[permissions]\ndefault_action = "${otherwise}"\n${tables.join("")}`;
}

function decide(text: string, given: Partial<LoadSetting> = {}): string {
  const loaded = findDocuments({ ...setting, ...given });
  const { cwd, home, env } = setting;
  return evaluate(segmentsIn(text), loaded.policy, { cwd, home, env, projectRoot: cwd }).decision;
}

function faultOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return `${error.diagnostics[0].code}: ${error.diagnostics[0].message}`;
    throw error;
  }
  return "";
}

const layersOf = () =>
  findDocuments(setting).files.map(({ layer, trusted }) => `${layer}${trusted ? "" : ", untrusted"}`);

describe("layers", () => {
  test("are found from the outside in: user, project from the repository root down, --policy", () => {
    write("home/.config/guarded-sh/policy.toml", policy("ask"));
    write("repo/guarded-sh.toml", policy("ask"));
    write("repo/sub/.guarded-sh/policy.toml", policy("ask"));
    write("guarded-sh.toml", policy("deny"));
    const given = write("given.toml", policy("ask"));
    setting = { ...setting, explicit: [given] };
    expect(layersOf()).toEqual(["user", "project, untrusted", "project, untrusted", "given"]);
  });

  test("without a repository only the directory itself is a project", () => {
    rmSync(join(root, "repo/.git"), { recursive: true });
    write("repo/guarded-sh.toml", policy("ask"));
    expect(layersOf()).toEqual([]);
    write("repo/sub/dir/guarded-sh.toml", policy("ask"));
    expect(layersOf()).toEqual(["project, untrusted"]);
  });

  test("follow XDG_CONFIG_HOME when it is absolute", () => {
    write("config/guarded-sh/policy.toml", policy("deny"));
    expect(decide("ls", { env: new Map([["XDG_CONFIG_HOME", join(root, "config")]]) })).toBe("deny");
    expect(decide("ls", { env: new Map([["XDG_CONFIG_HOME", "config"]]) })).toBe("allow");
  });

  test("all vote, the strictest vote wins, the innermost default applies when none does", () => {
    write("home/.config/guarded-sh/policy.toml", policy("deny", "deny rm *", "allow git *", "ask make *"));
    const explicit = [write("given.toml", policy("allow", "allow rm *", "ask git push*", "allow make *"))];
    expect(["rm x", "git push", "git log", "make", "ls"].map((text) => decide(text, { explicit }))).toEqual([
      "deny",
      "ask",
      "allow",
      "ask",
      "allow",
    ]);
  });

  test("a document that is off says nothing", () => {
    write("home/.config/guarded-sh/policy.toml", policy("deny"));
    const explicit = [write("given.toml", "")];
    expect(decide("ls", { explicit })).toBe("deny");
    rmSync(join(root, "home/.config"), { recursive: true });
    expect(decide("ls", { explicit })).toBe("allow");
  });

  test.runIf(process.getuid?.() === 0)("a managed policy must be root's, and nobody else's to write", () => {
    const path = write("managed.toml", policy("deny"));
    chmodSync(path, 0o644);
    expect(decide("ls")).toBe("deny");
    chmodSync(path, 0o666);
    expect(faultOf(() => findDocuments(setting))).toBe("untrusted-file: the managed policy can be written by others");
  });

  test.runIf(process.getuid?.() !== 0)("a managed policy that is not root's is refused", () => {
    write("managed.toml", policy("deny"));
    expect(faultOf(() => findDocuments(setting))).toBe("untrusted-file: the managed policy does not belong to root");
  });
});

describe("a project file", () => {
  test("only tightens until its content is trusted", () => {
    const path = write("repo/guarded-sh.toml", policy("allow", "allow git *", "deny rm *", "ask make *"));
    expect(["git log", "rm x", "make", "ls"].map((text) => decide(text))).toEqual(["ask", "deny", "ask", "ask"]);
    const file = trustFile(setting.env, setting.home);
    trust(file, path, readFileSync(path, "utf8"), new Date(0));
    expect(["git log", "rm x", "make", "ls"].map((text) => decide(text))).toEqual(["allow", "deny", "ask", "allow"]);
    writeFileSync(path, policy("allow", "allow *"));
    expect(decide("rm x")).toBe("ask");
  });

  test("cannot loosen an outer document before it is trusted", () => {
    write("home/.config/guarded-sh/policy.toml", policy("ask", "allow ls *"));
    write("repo/guarded-sh.toml", policy("allow", "allow *"));
    expect(["ls", "rm x"].map((text) => decide(text))).toEqual(["allow", "ask"]);
  });
});

describe("the record of trust", () => {
  test("holds paths and hashes, is private, and forgets", () => {
    const file = trustFile(new Map([["XDG_STATE_HOME", join(root, "state")]]), "/none");
    expect(readTrust(file)).toEqual([]);
    trust(file, "/a", "x", new Date(0));
    trust(file, "/b", "y", new Date(0));
    trust(file, "/a", "z", new Date(0));
    expect(readTrust(file).map(({ path }) => path)).toEqual(["/b", "/a"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(revokeTrust(file, "/a")).toBe(true);
    expect(revokeTrust(file, "/a")).toBe(false);
    writeFileSync(file, "{");
    expect(readTrust(file)).toEqual([]);
  });
});

describe("extends", () => {
  test("own rules come first, then the strictest of what is extended", () => {
    write("presets/looks.toml", policy("deny", "allow ls *", "allow cat *", "allow rm *"));
    write("repo/base.toml", policy("ask", "deny rm *", "deny cat *"));
    const path = write("repo/p.toml", `extends = ["preset:looks", "./base.toml"]\n${policy("ask", "allow cat *")}`);
    expect(["ls", "cat x", "rm x", "make"].map((text) => decide(text, { explicit: [path] }))).toEqual([
      "allow",
      "allow",
      "deny",
      "ask",
    ]);
  });

  test("alone takes the strictest default", () => {
    write("presets/looks.toml", policy("ask", "allow ls *"));
    const path = write("p.toml", 'extends = ["preset:looks"]');
    expect(["ls", "make"].map((text) => decide(text, { explicit: [path] }))).toEqual(["allow", "ask"]);
  });

  test.each([
    ['extends = ["preset:none"]', "unknown-preset: there is no preset `none`"],
    ['extends = ["preset:../x"]', "unknown-preset: there is no preset `../x`"],
    ['extends = ["./p.toml"]', "unknown-preset: `./p.toml` extends itself or too deep a chain"],
    ['extends = ["./gone.toml"]', "unreadable-file: the file cannot be read: there is no such file"],
  ])("%s is refused", (text, fault) => {
    const path = write("p.toml", text);
    expect(faultOf(() => loadPolicyFile(path, setting))).toBe(fault);
  });
});

describe("a file that is no policy", () => {
  test("is refused with the cause", () => {
    const load = (path: string) => faultOf(() => loadPolicyFile(path, setting));
    expect(load(join(root, "repo"))).toBe("unreadable-file: this is a directory, not a file");
    expect(load(join(root, "gone.toml"))).toBe("unreadable-file: the file cannot be read: there is no such file");
    expect(load(write("nul.toml", "a = 1\0"))).toBe("unreadable-file: the file holds a NUL byte: it is not a policy");
    writeFileSync(join(root, "bytes.toml"), Buffer.from([0xff, 0xfe]));
    expect(load(join(root, "bytes.toml"))).toBe("unreadable-file: the file is not UTF-8 text");
    expect(load(write("big.toml", "#".repeat(4 * 1024 * 1024 + 1)))).toBe(
      "unreadable-file: the file is larger than 4194304 bytes",
    );
    symlinkSync(join(root, "loop"), join(root, "loop"));
    expect(load(join(root, "loop"))).toBe("unreadable-file: the file cannot be read: ELOOP");
  });
});

describe("examples", () => {
  const example = (fields: string, otherwise = "ask") => {
    const path = write(
      "p.toml",
      `[permissions]\ndefault_action = "${otherwise}"\n[[permissions.rule]]\ntool = "bash"\npattern = "git push *"\naction = "deny"\n${fields}\n`,
    );
    return faultOf(() => loadPolicyFile(path, setting));
  };
  test.each([
    ['match = ["git push", "cd x && git -C d push -f"]\nnot_match = ["git pull", "echo git push"]', ""],
    ['match = ["git pull"]', "example-failed: `git push *` does not match `git pull`"],
    ['not_match = ["sudo git push"]', "example-failed: `git push *` matches `sudo git push`"],
    ['suggest = "git pull"', ""],
    ['suggest = "git push origin"', "suggestion-denied: the suggestion `git push origin` would itself be denied"],
  ])("%s", (fields, fault) => {
    expect(example(fields)).toBe(fault);
  });

  test("of path tools are paths", () => {
    const path = write(
      "p.toml",
      `[permissions]\ndefault_action = "ask"\n[[permissions.rule]]\ntool = "file_write"\npattern = "src/**"\naction = "deny"\nmatch = ["src/a/b.ts"]\nnot_match = ["lib/a.ts", "x/src/a"]\n`,
    );
    expect(faultOf(() => loadPolicyFile(path, setting))).toBe("");
  });
});

describe("the dictionary of a file", () => {
  test("is read, and refused where it is wrong", () => {
    const path = write("p.toml", '[arity]\n"mytool deploy" = 2\n');
    expect([...loadPolicyFile(path, setting).entries.keys()]).toEqual(["mytool"]);
    expect(faultOf(() => loadPolicyFile(write("q.toml", '[arity]\n"mytool" = "x"\n'), setting))).toMatch(
      /^bad-entry: /,
    );
  });

  test("counts only when the file is trusted", () => {
    const path = write("repo/guarded-sh.toml", '[arity]\n"mytool" = 2\n');
    expect([...findDocuments(setting).entries.keys()]).toEqual([]);
    trust(trustFile(setting.env, setting.home), path, readFileSync(path, "utf8"), new Date(0));
    expect([...findDocuments(setting).entries.keys()]).toEqual(["mytool"]);
  });
});
