import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findShell } from "../../src/exec/index.ts";
import { temporaryDirectory } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);

const program = join(directory, "package/bin/guarded-sh.js");
const link = join(directory, "bash");
mkdirSync(join(directory, "package/bin"), { recursive: true });
writeFileSync(join(directory, "package/package.json"), "{}");
writeFileSync(program, "#!/usr/bin/env node\n");
writeFileSync(join(directory, "package/bin/other.js"), "#!/usr/bin/env node\n");
for (const file of [program, join(directory, "package/bin/other.js")]) chmodSync(file, 0o755);
symlinkSync(program, link);
symlinkSync(join(directory, "package/bin/other.js"), join(directory, "sh"));

describe("looking for bash", () => {
  test("finds it by absolute path", () => {
    expect(findShell()).toMatchObject({ kind: "found", path: expect.stringMatching(/^\/.*\/bash$/) });
  });

  test.each([
    ["a link to the running program", link, program],
    ["the running program started through the link", link, link],
    ["another program of the package", join(directory, "sh"), program],
  ])("skips guarded-sh itself under that name: %s", (_, candidate, self) => {
    expect(findShell([candidate, "/bin/bash"], self)).toEqual({ kind: "found", path: "/bin/bash" });
  });

  test("skips what cannot be run", () => {
    const missing = [join(directory, "nothing"), directory, "bash", join(directory, "package/package.json")];
    expect(findShell([...missing, "/bin/bash"])).toEqual({ kind: "found", path: "/bin/bash" });
    expect(findShell(["/nowhere/bash"])).toEqual({
      kind: "missing",
      message: "no bash at /nowhere/bash",
      help: "install bash at one of these places",
    });
  });
});
