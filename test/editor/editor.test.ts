import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { runEditorSuite } from "../harness/editor-suite";

/**
 * The suite of test/editor runs in two windows: in one the user trusts the folder, in the other VS Code
 * restricts it.
 */
for (const trusted of [true, false]) {
  const samples = copySamples();
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  const settings = { "kernelwright.sessionsFolder": sessions, "files.autoSave": "off" };
  const results = await runEditorSuite({ workspace: samples.folder, trusted, settings }).finally(() => {
    samples.remove();
    rmSync(sessions, { recursive: true, force: true, maxRetries: 5 });
  });
  describe(trusted ? "in a trusted window" : "in a restricted window", () => {
    it("has cases", () => expect(results.length).toBeGreaterThan(0));
    for (const { name, milliseconds, failure } of results) {
      it(`${name} (${milliseconds} ms there)`, () => {
        if (failure) throw new Error(failure);
      });
    }
  });
}
