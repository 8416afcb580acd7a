// Builds what is published: one CommonJS file for the command line with lazy chunks beside it (it starts fastest),
// one ES module with declarations for the library.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const published = join(root, "dist");
// Built beside it and moved there at the end: whoever runs the old one meanwhile is not disturbed.
const dist = join(root, `.dist-${process.pid}`);

// A package installed from its tarball is built already and has no sources.
if (!existsSync(join(root, "src"))) process.exit(0);

const { rolldown } = await import("rolldown");
const external = [
  /^node:/,
  /^@lydell\/node-pty/,
  "libsql",
  /^@modelcontextprotocol\/sdk/,
  /^zod/,
  "@clack/prompts",
  "execa",
];

async function bundle(input, options) {
  const build = await rolldown({
    input,
    external,
    platform: "node",
    cwd: root,
    resolve: { mainFields: ["module", "main"] },
    // What a lazy chunk shares with the entry stays in the entry: one file starts faster than five.
    preserveEntrySignatures: "allow-extension",
    logLevel: "warn",
  });
  await build.write(options);
  await build.close();
}

await bundle(
  { cli: "src/cli/main.ts" },
  { dir: dist, format: "cjs", minify: true, entryFileNames: "[name].cjs", chunkFileNames: "chunk-[name]-[hash].cjs" },
);
await bundle(
  {
    index: "src/index.ts",
    "opencode-tool": "src/opencode-tool.ts",
    "opencode-plugin": "src/opencode-plugin.ts",
    "opencode-plugin-v2": "src/opencode-plugin-v2.ts",
  },
  { dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "lib-[name]-[hash].js" },
);
mkdirSync(join(dist, "schema"), { recursive: true });
cpSync(join(root, "src/result/result.schema.json"), join(dist, "schema/result.schema.json"));
cpSync(join(root, "src/adapters/serve.schema.json"), join(dist, "schema/serve.schema.json"));

const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
execFileSync(
  process.execPath,
  [join(typescript, "bin/tsc"), "-p", join(root, "tsconfig.build.json"), "--outDir", join(dist, "types")],
  {
    stdio: "inherit",
  },
);

rmSync(published, { recursive: true, force: true });
renameSync(dist, published);

// The cache names the bundle by its path relative to itself only, but it has to be made by this very Node.
execFileSync(process.execPath, [join(root, "scripts/write-cache.cjs")], { stdio: "inherit" });
