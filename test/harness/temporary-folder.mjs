import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run a folder of its own for temporary files, which goes when the run ends: VS Code leaves its sockets
 * behind, and so do the language server's folders where a test kills it.
 */
export function setup() {
  // Short, since paths of sockets are.
  const folder = mkdtempSync(join(tmpdir(), "kw-"));
  process.env.TMPDIR = folder;
  // Not at the teardown: what VS Code has started may write for a moment longer than the tests run.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
