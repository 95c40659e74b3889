import { defineConfig } from "vitest/config";
import { repository } from "../../server/setup/support/layout.mjs";

/**
 * The suites that need a real VS Code: test/editor inside its extension host, test/e2e in its window. One at
 * a time.
 */
export default defineConfig({
  root: repository,
  test: {
    include: ["test/editor/**/*.test.ts", "test/e2e/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    pool: "forks",
    teardownTimeout: 10_000,
  },
});
