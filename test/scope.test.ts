import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boundaryFor, seatbeltProfile } from "../src/exec/scope.ts";
import { openGuard, run, runTransparently } from "../src/guard.ts";
import type { LoadedFile } from "../src/policy/index.ts";
import { scopeFaults, scopeOf } from "../src/scope.ts";

const setting = { home: "/home/u", projectRoot: "/p", env: new Map([["TMPDIR", "/var/tmp/u"]]) };

type Table = LoadedFile["scope"];
const files = (...scopes: Table[]) =>
  scopes.map((scope, at) => ({ path: `/f${at}`, scope })) as unknown as readonly LoadedFile[];
const table = (write: string[] | undefined, readDeny: string[] = [], network?: boolean): Table => ({
  write,
  readDeny,
  network,
});

describe("what the policy files ask for together", () => {
  test.each([
    ["no table", files(undefined), { kind: "none" }],
    ["a table that asks for nothing", files(table(undefined, [], true)), { kind: "none" }],
    [
      "paths from the project, the home and TMPDIR",
      files(table([".", "/tmp", "$TMPDIR/x", "${HOME}/c"], ["~/.ssh"], false)),
      {
        kind: "scope",
        scope: { write: ["/p", "/tmp", "/var/tmp/u/x", "/home/u/c"], readDeny: ["/home/u/.ssh"], network: false },
        sources: ["/f0"],
      },
    ],
    [
      "what both let be written, what any hides, a network if none forbids it",
      files(table(["/p", "/tmp"], ["~/.ssh"], true), table(["/p/build", "/"], ["~/.aws"], false)),
      {
        kind: "scope",
        scope: { write: ["/p/build", "/p", "/tmp"].sort(), readDeny: ["/home/u/.ssh", "/home/u/.aws"], network: false },
        sources: ["/f0", "/f1"],
      },
    ],
    [
      "two that share nothing: nothing may be written",
      files(table(["/a"]), table(["/b"])),
      { kind: "scope", scope: { write: [], readDeny: [], network: true }, sources: ["/f0", "/f1"] },
    ],
    [
      "a wildcard would hide nothing",
      files(table(undefined, ["~/.*"])),
      { kind: "unusable", message: "`~/.*` in [scope] of /f0: paths there have no wildcards" },
    ],
  ])("%s", (_name, given, expected) => {
    const found = scopeOf(given, setting);
    if (found.kind !== "scope" || found.scope.write === undefined) return expect(found).toEqual(expected);
    expect({ ...found, scope: { ...found.scope, write: [...found.scope.write].sort() } }).toEqual({
      ...expected,
      scope: { ...(expected as typeof found).scope, write: [...((expected as typeof found).scope.write ?? [])].sort() },
    });
  });
});

const SCOPE = { write: ["/p", "/tmp"], readDeny: ["/home/u/.ssh"], network: false };

const HERE = { cwd: "/p", home: "/home/u" };

describe("failures that the boundary caused", () => {
  test.each([
    ["touch: cannot touch '/etc/x': Read-only file system", [{ access: "write", path: "/etc/x" }]],
    ["/bin/bash: line 1: /etc/y: Read-only file system", [{ access: "write", path: "/etc/y" }]],
    ["bash: line 1: ../out/x: Read-only file system", [{ access: "write", path: "/out/x" }]],
    ["OSError: [Errno 30] Read-only file system: '/opt/a b'", [{ access: "write", path: "/opt/a b" }]],
    ["Error: EROFS: read-only file system, open '/opt/x'", [{ access: "write", path: "/opt/x" }]],
    ["mount: Read-only file system", [{ access: "write", path: null }]],
    ["touch: cannot touch '/p/x': Read-only file system", []],
    ["cat: /home/u/.ssh/id: No such file or directory", [{ access: "read", path: "/home/u/.ssh/id" }]],
    ["ls: cannot open directory '/home/u/.ssh': Permission denied", [{ access: "read", path: "/home/u/.ssh" }]],
    ["cat: /home/u/other: No such file or directory", []],
    ["curl: (6) Could not resolve host: example.invalid", [{ access: "network", path: null }]],
    ["all is well", []],
  ])("%s", (line, expected) => {
    expect(scopeFaults(SCOPE, `before\n${line}\nafter`, HERE)).toEqual(expected);
  });

  test("the same failure is named once, and five at most", () => {
    const output = Array.from({ length: 20 }, (_, at) => `touch: cannot touch '/e/${at % 7}': Read-only file system`);
    expect(scopeFaults(SCOPE, output.join("\n"), HERE)).toHaveLength(5);
  });
});

describe("a boundary that cannot be had", () => {
  test.each([
    ["the program is missing", { programs: ["/nowhere/bwrap"] }, /\[scope\] needs \/nowhere\/bwrap/],
    ["it does not work here", { programs: ["/bin/false"] }, /\[scope\] cannot be enforced/],
    ["the system has none", { platform: "win32" as const }, /cannot be enforced on win32/],
  ])("%s", (_name, more, message) => {
    const boundary = boundaryFor(SCOPE, { cwd: "/", shell: "/bin/bash", platform: "linux", ...more });
    expect(boundary).toMatchObject({ kind: "unavailable", message: expect.stringMatching(message) });
  });

  test("nothing runs then", async () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-scope-")));
    mkdirSync(join(place, ".git"));
    writeFileSync(join(place, "policy.toml"), '[scope]\nread_deny = ["~/*"]\n');
    const guard = openGuard({
      cwd: place,
      env: { PATH: process.env.PATH, HOME: place },
      policyFiles: [join(place, "policy.toml")],
      managedPath: join(place, "none.toml"),
    });
    for (const result of [await run(guard, "echo > ran"), await runTransparently(guard, "echo > ran")]) {
      expect(result).toMatchObject({ kind: "failed", denial: { kind: "failed", ran: false } });
      expect(result.denial?.message).toContain("paths there have no wildcards");
    }
    expect(existsSync(join(place, "ran"))).toBe(false);
    rmSync(place, { recursive: true });
  });
});

test("the profile for macOS: later rules win, so what is hidden stands last", () => {
  expect(seatbeltProfile({ write: ["/p"], readDeny: ['/h/"x'], network: false }, "/spool")).toBe(
    [
      "(version 1)",
      "(allow default)",
      "(deny file-write*)",
      '(allow file-write* (subpath "/dev") (subpath "/p") (subpath "/spool"))',
      '(deny file-read* (subpath "/h/\\"x"))',
      '(deny file-write* (subpath "/h/\\"x"))',
      "(deny network*)",
    ].join("\n"),
  );
});

const available = boundaryFor({ readDeny: [], network: true }, { cwd: "/", shell: "/bin/bash" }).kind === "ready";

describe.skipIf(!available)("enforced by bubblewrap (skipped: it does not work on this machine)", () => {
  // Not below /tmp, which is one of the places that may be written.
  const place = realpathSync(mkdtempSync(join("/var/tmp", "guarded-sh-scope-")));
  const project = join(place, "project");
  const home = join(place, "home");

  beforeAll(() => {
    for (const folder of [join(project, ".git"), join(home, ".ssh")]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, ".ssh/id"), "secret\n");
    writeFileSync(join(home, "key"), "secret\n");
    writeFileSync(
      join(project, "guarded-sh.toml"),
      '[scope]\nwrite = ["."]\nread_deny = ["~/.ssh", "~/key", "~/missing"]\nnetwork = false\n',
    );
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const guard = () =>
    openGuard({ cwd: project, env: { PATH: process.env.PATH, HOME: home }, managedPath: join(place, "none.toml") });

  // A file that nobody trusted: its boundary counts, because it can only tighten.
  test.each([
    ["the project is written", "echo x > made && cat made", "x", undefined],
    ["the home is not", "touch ~/x", "Read-only", { access: "write", path: join(home, "x") }],
    ["nor through a link", "ln -s ~ link && touch link/x", "Read-only", { access: "write", path: join(home, "x") }],
    ["a hidden folder is empty", "cat ~/.ssh/id", "cat:", { access: "read", path: join(home, ".ssh/id") }],
    ["a hidden file cannot be read", "cat ~/key", "denied", { access: "read", path: join(home, "key") }],
    ["a boundary cannot be mounted away", "mount -o remount,rw,bind / || umount ~/.ssh", "", undefined],
    ["there is no network", "echo > /dev/tcp/198.51.100.1/80", "unreachable", { access: "network", path: null }],
    ["programs find their terminal and devices", "test -t 1 && head -c 1 /dev/zero | wc -c", "1", undefined],
  ])("%s", async (_name, text, printed, fault) => {
    const { execution } = await run(guard(), text);
    expect(execution?.output).toContain(printed);
    const [found] = execution?.scope ?? [];
    expect(found).toEqual(fault);
    expect(readFileSync(join(home, ".ssh/id"), "utf8")).toBe("secret\n");
    expect(existsSync(join(home, "x"))).toBe(false);
  });

  test("exits, signals, directories and long outputs are as without it", async () => {
    expect((await run(guard(), "exit 7")).execution?.exit).toEqual({ kind: "exited", code: 7 });
    expect((await run(guard(), "mkdir -p sub && cd sub")).execution?.cwd).toBe(join(project, "sub"));
    const long = await run(guard(), "head -c 200000 /dev/zero | tr '\\0' a");
    expect(readFileSync(long.execution?.truncated?.file ?? "", "utf8")).toHaveLength(200_000);
  });

  test("what it starts does not outlive the time limit", async () => {
    const { execution } = await run(guard(), "sleep 300", { timeoutMs: 300 });
    expect(execution?.exit).toEqual({ kind: "timed-out", after_ms: 300 });
  });
});
