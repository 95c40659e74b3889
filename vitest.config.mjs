import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { testEnvironment } from "./test/harness/environment.mjs";
import { fastTests } from "./test/harness/lanes.mjs";
import { LongestFirst } from "./test/harness/longest-first.mjs";
import { moduleCache } from "./test/harness/module-cache.mjs";

Object.assign(process.env, testEnvironment());

/** "fast", "tools" (what is left without the fast lane), or both where it is not set. */
const lane = process.env.KERNELWRIGHT_LANE;
const fast = lane ? await fastTests() : [];

/**
 * The files that take longest come first. Their tests come in another order each time, which finds those that
 * lean on others; CI keeps one order, so that it judges the change alone.
 */
const sequence = {
  sequencer: LongestFirst,
  shuffle: { tests: lane === "fast", files: false },
  ...(process.env.CI ? { seed: 1795346442726 } : {}),
};

export default defineConfig({
  test: {
    include: lane === "fast" ? fast : ["test/**/*.test.ts"],
    exclude: [
      "test/editor/**",
      "test/e2e/**",
      "test/clean-room/**",
      "node_modules/**",
      ...(lane === "tools" ? fast : []),
    ],
    globalSetup: ["test/harness/before-tests.mjs", "test/harness/temporary-folder.ts"],
    // Ends what hangs. A slow machine is no failure, so that no test has a limit of its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    pool: "forks",
    // As in server/host/cli/main.ts, since a file of tests is over before early optimization pays, and in
    // server/host/start/engine-flags.ts.
    execArgv: process.versions.v8.startsWith("11.")
      ? ["--interrupt-budget=600000", "--experimental-wasm-relaxed-simd"]
      : [],
    // Files share what they import.
    isolate: false,
    experimental: moduleCache(),
    sequence,
    // Tests with tools wait for these part of their time.
    maxWorkers: Math.max(2, availableParallelism()) + (lane === "fast" ? 0 : 1),
    teardownTimeout: 10_000,
  },
});
