import { defineConfig } from "vitest/config";
import { repository } from "../../server/setup/support/layout.mjs";
import { testEnvironment } from "./environment.mjs";
import { moduleCache } from "./module-cache.mjs";

Object.assign(process.env, testEnvironment());

/**
 * The suites that need a real VS Code: test/editor inside its extension host, test/e2e in its window. One at
 * a time, where the command line does not ask for more.
 */
export default defineConfig({
  root: repository,
  test: {
    include: ["test/editor/**/*.test.ts", "test/e2e/**/*.test.ts", "test/clean-room/**/*.test.ts"],
    globalSetup: ["test/harness/before-tests.mjs", "test/harness/temporary-folder.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    experimental: moduleCache(),
    pool: "forks",
    teardownTimeout: 10_000,
  },
});
