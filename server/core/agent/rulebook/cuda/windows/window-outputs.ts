import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { promises } from "../causes/keep-stored-element";
import { blockShape } from "../launch/block-shape";
import { planeOf } from "../points/numbering";
import { pointSpace } from "../points/point-space";
import { innerPoints } from "./inner-points";
import { outputsBelow, type Rewrite } from "./outputs-below";
import { blocksOfOneRound, oneRoundText, reuseIn, windowLoad } from "./window";

const withoutConditions =
  "Leave out the conditions that guard the borders where all of a warp lies far from them.";

/** Outputs of a thread that are tried; the judge chooses. */
const heights = [4, 2];

/**
 * Gives each thread several outputs below each other whose windows overlap, so that what they share is loaded
 * once; far from the borders without the conditions that guard them.
 */
export const windowOutputs = defineRule("cuda-window-outputs", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const [wide, high] = block.sizes;
  const space = pointSpace(view, block.sizes);
  if (isNot(space)) return space;
  const at = windowLoad(view, space);
  if (at === undefined) return not("no-pattern", "no array is read in a window around the point", view.line);
  const { loaded, stored } = cudaAccesses(view.kernel);
  const both = [...loaded].find((name) => stored.has(name));
  if (both !== undefined) return not("aliasing", `${both} is loaded as well as stored`, at);
  const seen = reuseIn(input, space);
  if (seen.again < threshold(entry, "times") * seen.fresh)
    return not("no-evidence", "the loads of a window bring in new sectors", at);
  const numbering = planeOf(view, block.sizes);
  if (high === 1 || numbering === undefined || numbering.strip !== undefined)
    return not("launch", `the threads of a block of ${wide} × ${high} are no points of a plane`, at);
  const blocks = blocksOfOneRound(input, view);
  const inner = innerPoints(view, space);
  if (blocks !== undefined && inner.edits.length === 0)
    return { ...not("limit", oneRoundText(blocks), at), gain: gainOf(input, entry) };
  return (blocks === undefined ? heights : [1]).map((height) =>
    proposal(input, entry, { view, space, inner, at, seen, block: [wide, high], height }),
  );
});

function proposal(input: RuleInput, entry: RuleEntry, rewrite: Rewrite): RuleAnswer {
  const { at, seen, height } = rewrite;
  const facts = { file: input.file, line: lineOf(at), counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [outputsBelow(rewrite), ...promises(rewrite.view)]),
    hypothesis: height === 1 ? withoutConditions : fillSentence(entry.hypothesis, { height: String(height) }),
    evidence: evidenceFor(entry, { ...facts, value: seen.value, ideal: seen.fresh }),
    gain: height === 1 ? gainOn(input, ["issue", "integer"], 0.5) : gainOf(input, entry),
  };
}

function gainOf(input: RuleInput, entry: RuleEntry): number {
  return gainOn(input, ["issue", "l1", "l2", "latency", "dram"], threshold(entry, "share"));
}
