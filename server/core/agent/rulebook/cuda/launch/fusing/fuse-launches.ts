import { lineOf } from "../../../../../language/query";
import { editedTree } from "../../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../../evidence";
import { isNot } from "../../../rule";
import { defineRule, fillSentence } from "../../../rule-table";
import { cudaKernel } from "../../kernel";
import { joinedKernels } from "./joined-kernels";
import { launchPair } from "./launch-pair";

/**
 * Does the work of two kernels in one where each thread of the later one loads what the same thread of the
 * earlier one has stored: where no one else needs the memory, the value stays in a register.
 */
export const fuseLaunches = defineRule("cuda-fuse-launches", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const pair = launchPair(input, view);
  if (isNot(pair)) return pair;
  const { first, second, array, store, loads } = pair;
  const [stored, loaded] = [countsOf(input, store.node), loads.map(({ node }) => countsOf(input, node))];
  const sectors = loaded.reduce((sum, each) => sum + each.globalLoadSectors, stored.globalStoreSectors);
  const { totals } = input.counters;
  const share = shareSaved(sectors, totals.globalLoadSectors + totals.globalStoreSectors);
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], share);
  const edits = joinedKernels(input, pair);
  if (isNot(edits)) return { ...edits, gain };
  const names = [first, second].map((each) => each.view.kernel.facts.name).join(" and ");
  const facts = { file: input.file, line: lineOf(store.node), counter: "globalStoreRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { names, array }),
    evidence: evidenceFor(entry, { ...facts, value: stored.globalStoreRequests, ideal: 0 }, { array }),
    gain,
  };
});
