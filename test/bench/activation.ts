import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEditorSuite } from "../harness/editor-suite";
import { type Bench, quantile, rounded } from "./bench";

/** Windows opened; each has a fresh VS Code and a fresh extension host. */
const WINDOWS = 3;

/** How long VS Code waits for our `activate`, as the suite inside the extension host sees it. */
export const activationBench: Bench = {
  name: "activation",
  run: async () => {
    const times: number[] = [];
    for (let window = 0; window < WINDOWS; window += 1) {
      // A folder with kernels would have activated the extension before the suite looks at the clock.
      const workspace = mkdtempSync(join(tmpdir(), "kernelwright-empty-"));
      const results = await runEditorSuite({
        workspace,
        environment: { KERNELWRIGHT_EDITOR_CASES: "the extension activates" },
      });
      rmSync(workspace, { recursive: true });
      times.push(...results.map(({ milliseconds }) => milliseconds));
    }
    return [
      {
        metric: `extension activation, median of ${WINDOWS} windows`,
        value: rounded(quantile(times, 0.5)),
        unit: "ms",
      },
    ];
  },
};
