import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel } from "../kernel";
import { gridEdits } from "../launch/grid-edit";
import { factorOf } from "../launch/grid-edit";
import { digitWork } from "./digit-work";
import { digitLoop } from "./digit-loop";

/**
 * Lets one thread compute all that the threads with one quotient of their number compute, where the branches
 * of a warp part by the digit: `switch (i % 16)` becomes a loop that the compiler unrolls, each turn without
 * a branch.
 */
export const allDigits = defineRule("cuda-all-digits", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const work = digitWork(input, view);
  if (isNot(work)) return work;
  const { divergentBranches } = countsOf(input, work.branch);
  if (divergentBranches === 0) return not("no-evidence", "the lanes do not part there", work.branch);
  const { instructions } = input.counters.totals;
  const share = shareSaved(countsOf(input, work.branch).instructions, instructions);
  const gain = gainOn(input, ["issue", "fp32", "special"], Math.max(share, threshold(entry, "share")));
  const held = threadsCooperate(view);
  if (held !== undefined) return { ...held, gain };
  const { base } = work;
  const grid = gridEdits(input, view, ([x, y, z]) => [`(${factorOf(x)} + ${base - 1}) / ${base}`, y, z]);
  if (isNot(grid)) return { ...grid, gain };
  const facts = { file: input.file, line: lineOf(work.branch), counter: "divergentBranches" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [...digitLoop(view, work), ...grid]),
    hypothesis: fillSentence(entry.hypothesis, { count: base }),
    evidence: evidenceFor(entry, { ...facts, value: divergentBranches, ideal: 0 }),
    gain,
  };
});
