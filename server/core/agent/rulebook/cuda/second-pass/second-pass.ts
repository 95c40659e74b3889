import { calledFunctions } from "../../../../language/cuda/body/threads";
import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, shareSaved, targetGpu } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { fillingBlocks } from "../launch/asked-grid";
import { oneBlock } from "./one-block";
import { twoLaunches } from "./two-launches";

/**
 * Two launches instead of one of a single block that walks over a whole array: many blocks take the elements
 * in turn and store what each of their warps found; the block goes on with these parts as it did with
 * elements.
 */
export const secondPass = defineRule("cuda-second-pass", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const most = targetGpu(input).multiprocessors;
  const gain = 1 - 1 / most;
  const work = oneBlock(input, view);
  if (isNot(work)) return work.because === "no-pattern" ? work : { ...work, gain };
  const { launch, loop } = work;
  const filling = fillingBlocks({ input, view, launch, each: threshold(entry, "blocksEach") }, loop);
  if (isNot(filling)) return { ...filling, gain };
  const places = [loop.loop, ...calledFunctions(view.model, view.kernel, [loop.loop])];
  const requests = places.reduce((sum, node) => sum + countsOf(input, node).globalLoadRequests, 0);
  const share = shareSaved(requests, input.counters.totals.globalLoadRequests);
  if (requests < threshold(entry, "requestsLeast") || share < threshold(entry, "shareLeast"))
    return not("no-evidence", "the block has little to walk over", loop.loop);
  const facts = { file: input.file, line: lineOf(launch.call), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [...filling.edits, ...twoLaunches(view, work, filling.text)]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value: 1, ideal: most }),
    gain,
  };
});
