import { defineConfig } from "vitest/config";

// Not a part of `npm test`: minutes, not seconds.
export default defineConfig({ test: { include: ["test/fuzz/*.fuzz.ts"], maxWorkers: 2 } });
