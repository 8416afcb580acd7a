// Builds what is published: one CommonJS file for the command line with lazy chunks beside it (it starts fastest),
// one ES module with declarations for the library.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

// A package installed from its tarball is built already and has no sources.
if (!existsSync(join(root, "src"))) process.exit(0);

const { rolldown } = await import("rolldown");
const external = [
  /^node:/,
  "@lydell/node-pty",
  "libsql",
  /^@modelcontextprotocol\/sdk/,
  /^zod/,
  "@clack/prompts",
  "execa",
];

async function bundle(input, options) {
  const build = await rolldown({ input, external, platform: "node", cwd: root, logLevel: "warn" });
  await build.write(options);
  await build.close();
}

rmSync(dist, { recursive: true, force: true });
await bundle(
  { cli: "src/cli/main.ts" },
  { dir: dist, format: "cjs", minify: true, entryFileNames: "[name].cjs", chunkFileNames: "chunk-[name]-[hash].cjs" },
);
await bundle(
  { index: "src/index.ts" },
  { dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "lib-[name]-[hash].js" },
);
mkdirSync(join(dist, "schema"), { recursive: true });
cpSync(join(root, "src/result/result.schema.json"), join(dist, "schema/result.schema.json"));

const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
execFileSync(process.execPath, [join(typescript, "bin/tsc"), "-p", join(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
