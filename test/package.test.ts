import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "package-"));
const modules = join(folder, "node_modules");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;

// The tarball in a project of its own, with nothing run while it is installed. The packages it needs are the ones that are here.
beforeAll(() => {
  const listed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
  });
  packed = Object.values(JSON.parse(listed) as Record<string, Packed>)[0] as Packed;
  mkdirSync(join(modules, "guarded-sh"), { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(folder, packed.filename),
    "--strip-components=1",
    "-C",
    join(modules, "guarded-sh"),
  ]);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".") && name !== "guarded-sh")
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
});

function guardedSh(...argv: string[]) {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  return spawnSync(process.execPath, [join(modules, "guarded-sh/bin/guarded-sh.js"), ...argv], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
}

test("it holds only what a user needs", () => {
  const tops = [...new Set(packed.files.map(({ path }) => path.split("/")[0]))].sort();
  const texts = ["CHANGELOG.md", "LICENSE", "README.md", "THREAT_MODEL.md"];
  expect(tops).toEqual([...texts, "arity", "bin", "dist", "docs", "package.json", "presets"]);
  expect(packed.files.filter(({ path }) => path.startsWith("docs/") && !path.endsWith(".md"))).toEqual([]);
  expect(packed.files.filter(({ path }) => /\.map$|^test\/|\.test\.|^src\//.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(8 * 1024 * 1024);
});

test("no runtime package runs a script when it is installed", () => {
  const lock = JSON.parse(execFileSync("cat", [join(root, "package-lock.json")], { encoding: "utf8" })) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; hasInstallScript?: boolean }>;
  };
  const scripted = Object.entries(lock.packages).filter(
    ([name, entry]) => name !== "" && entry.hasInstallScript && !entry.dev && !entry.devOptional,
  );
  expect(scripted.map(([name]) => name)).toEqual([]);
});

test("installed without scripts it judges, runs and can be imported", () => {
  expect(guardedSh("check", "git status && rm -rf build").status).toBe(0);
  expect(guardedSh("run", "test -t 1 && echo ok").stdout).toBe("ok\n");
  const script =
    "import { openGuard, check } from 'guarded-sh'; console.log(check(openGuard(), 'ls | wc').result.segments.length)";
  const imported = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([imported.stdout, imported.stderr]).toEqual(["2\n", ""]);
});

test("it has declarations for the library", () => {
  expect(packed.files.map(({ path }) => path)).toContain("dist/types/index.d.ts");
});
