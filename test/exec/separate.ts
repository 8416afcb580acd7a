import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const root = resolve(import.meta.dirname, "../..");

/** Bundles src/exec for processes of their own, which Node can load; inside the project, where packages are found. */
export async function bundleExec(name: string): Promise<{ file: string; remove: () => void }> {
  const outDir = join(root, "node_modules/.cache", `exec-${name}-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    root,
    logLevel: "silent",
    build: { ssr: join(root, "src/exec/index.ts"), outDir, emptyOutDir: true, target: "node20" },
  });
  return { file: join(outDir, "index.js"), remove: () => rmSync(outDir, { recursive: true, force: true }) };
}
