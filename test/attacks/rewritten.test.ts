import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = temporaryFolder("rewritten-");
mkdirSync(join(folder, "sub"));
writeFileSync(join(folder, "s.sh"), "echo a\n");
writeFileSync(join(folder, "sub/s.sh"), "echo b\n");
writeFileSync(join(folder, "package.json"), '{ "scripts": { "x": "echo x" } }');
const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
const policy = parseInline(
  { default_action: "allow", rules: [{ tool: "bash", pattern: "victim *", action: "deny" }] },
  setting,
);
const guard = openGuard({ cwd: folder, policy });
const decisionOf = (text: string) => check(guard, text).result.decision;

describe("what the text changes first is not what is read now", () => {
  test.each([
    "tar xf x.tar; sh s.sh",
    "tar xzf x.tgz --strip-components=1 a/s.sh; sh s.sh",
    "unzip -o x.zip; sh s.sh",
    "7z x -y x.7z; sh s.sh",
    "cpio -i < x.cpio; sh s.sh",
    "jar xf x.jar; sh s.sh",
    "gunzip -f s.sh.gz; sh s.sh",
    "git checkout .; sh s.sh",
    "uniq +1 sub/s.sh s.sh; sh s.sh",
    "npm pkg set scripts.x=victim; npm run x",
    "npm config set script-shell victim --location=project; npm run x",
    "npm set script-shell victim; npm run x",
    "echo script-shell=victim > .npmrc; npm run x",
    "echo script-shell=victim > ~/.npmrc; npm run x",
    "pnpm config set script-shell victim; pnpm run x",
    "yarn config set script-shell victim; yarn run x",
    "npm run x --userconfig=evilrc",
    "npm test --prefix /gone",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));
});

describe("innocent lines stay so", () => {
  test.each([
    "sh s.sh",
    "npm run x",
    "tar xf x.tar -C out; sh s.sh",
    "tar cf x.tar sub; sh s.sh",
    "unzip -l x.zip; sh s.sh",
  ])("%s", (text) => expect(decisionOf(text)).toBe("allow"));
});
