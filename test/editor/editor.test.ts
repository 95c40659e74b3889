import { describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { runEditorSuite } from "../harness/editor-suite";

/** The suite of test/editor runs in two windows: in one the user trusts the folder, in the other VS Code restricts it. */
for (const trusted of [true, false]) {
  const samples = copySamples();
  const results = await runEditorSuite({ workspace: samples.folder, trusted }).finally(samples.remove);
  describe(trusted ? "in a trusted window" : "in a restricted window", () => {
    it("has cases", () => expect(results.length).toBeGreaterThan(0));
    for (const { name, milliseconds, failure } of results) {
      it(`${name} (${milliseconds} ms there)`, () => {
        if (failure) throw new Error(failure);
      });
    }
  });
}
