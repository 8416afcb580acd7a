import { defineConfig } from "vitest/config";

// Not a part of `npm test`: minutes, not seconds. One file after the other, as both measure time.
export default defineConfig({ test: { include: ["test/fuzz/*.fuzz.ts"], fileParallelism: false } });
