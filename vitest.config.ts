import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // The tests start real processes: on two slow cores that takes long. What is waited for is waited for half as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two at a time: the tests start real processes, and a time limit inside one must not be the fault of another.
    maxWorkers: 2,
  },
});
