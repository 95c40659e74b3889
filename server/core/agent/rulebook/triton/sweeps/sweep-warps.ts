import { commonLimits } from "../../../../timing/gpu-model";
import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { warpsEdit } from "../fewer-warps";
import { launchWarps, tritonKernel } from "../kernel";

/**
 * Tries a program with four times as many warps, and with a quarter: more of them hide latency, fewer repeat
 * less and combine faster. Which is better only the judge can tell.
 */
export const sweepWarps = defineRule("triton-sweep-warps", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const warps = launchWarps(view);
  if (warps === undefined) return not("launch", "num_warps is computed at the launch", view.launch.call);
  const factor = threshold(entry, "factor");
  const tried = [Math.min(threshold(entry, "most"), warps * factor), Math.max(1, Math.floor(warps / factor))];
  const value = input.counters.totals.instructions;
  return [...new Set(tried)]
    .filter((next) => next !== warps)
    .map((next) => {
      const edit = warpsEdit(view, next);
      if (isNot(edit)) return edit;
      if (wouldSpill(input, warps / next))
        return not("limit", `a thread of ${next} warps would hold too much for its registers`, view.line);
      const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
      return {
        kind: "proposal",
        tree: editedTree(input, [edit]),
        hypothesis: fillSentence(entry.hypothesis, { warps: String(warps), next: String(next) }),
        evidence: evidenceFor(entry, { ...facts, value, ideal: value }, { warps }),
        gain: gainOn(input, [next > warps ? "latency" : "issue"], threshold(entry, "share")),
      };
    });
});

/** Registers that a thread needs whatever its share of a tile. */
const registersOfItsOwn = 40;

/** True where threads with so many times as many elements need far more registers than there are. */
function wouldSpill({ facts }: RuleInput, times: number): boolean {
  const most = Math.max(0, ...facts.map(({ registers }) => registers));
  return times > 1 && (most - registersOfItsOwn) * times > 1.5 * commonLimits.registersPerThread;
}
