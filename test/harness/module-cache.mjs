import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../server/setup/support/layout.mjs";

const folder = join(repository, "out", "test-modules");

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Keeps what is made of a source for the tests, for the next run and for sections that start later: a quarter
 * of the processor time of tests that need no tool. What is kept of a source names the files that it imports,
 * so that it is good only as long as no file comes, goes or moves.
 * @returns {{ fsModuleCache: boolean, fsModuleCachePath: string }} options of vitest (experimental)
 */
export function moduleCache() {
  const { stdout } = spawnSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "--", "server", "client", "test"],
    { cwd: repository, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  const path = join(folder, createHash("sha256").update(stdout).digest("hex").slice(0, 16));
  mkdirSync(path, { recursive: true });
  removeOld();
  return { fsModuleCache: true, fsModuleCachePath: path };
}

/** Those that no run may still be using. */
function removeOld() {
  for (const path of readdirSync(folder).map((name) => join(folder, name)))
    if (Date.now() - statSync(path).mtimeMs > dayMilliseconds) rmSync(path, { recursive: true, force: true });
}
