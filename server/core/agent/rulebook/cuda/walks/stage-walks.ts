import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { lineSpace } from "../points/line-space";
import { stagedWalks } from "./staged-text";
import { plannedWalks, tileBytes } from "./walk-plan";

/** Turns of a walk that a tile holds, the most first: those of the last one still fill whole sectors. */
const turnsOfTile = [32, 16, 8] as const;

/**
 * Threads that walk rows of their own in order, as a filter does: the block copies a few turns of all its
 * rows to shared memory as they lie in memory, and each thread goes on with its own row there.
 */
export const stageWalks = defineRule("cuda-stage-walks", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const space = lineSpace(view, block.sizes);
  if (isNot(space)) return space;
  const plan = plannedWalks(view, space);
  if (isNot(plan)) return plan;
  const [threads] = block.sizes;
  const counts = plan.walks.map(({ counted }) => countsOf(input, counted.loop));
  const sum = (of: (one: (typeof counts)[number]) => number): number =>
    counts.reduce((total, one) => total + of(one), 0);
  const value = sum((one) => one.globalLoadSectors + one.globalStoreSectors);
  const ideal = sum((one) => one.globalLoadSectorsIdeal + one.globalStoreSectorsIdeal);
  const [first] = plan.walks;
  if (first === undefined) return not("no-pattern", "no thread walks a row of its own", view.line);
  if (wasteOf(value, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "no walk moves many more sectors than it needs", first.counted.loop);
  const { totals } = input.counters;
  const share = shareSaved(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors);
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], share);
  const turns = turnsOfTile.find(
    (each) => tileBytes(plan, each) * threads <= threshold(entry, "sharedBytesMost"),
  );
  if (turns === undefined || threads < 32)
    return { ...not("limit", "the rows of a block are too many for a tile", first.counted.loop), gain };
  const [guard] = space.guards;
  if (guard !== undefined)
    return { ...not("dependence", `only points with ${guard} have any work`, view.line), gain };
  const edits = stagedWalks(view, space, { plan, turns, threads });
  if (isNot(edits)) return { ...edits, gain };
  const counter = "globalLoadSectors" as const;
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { threads, turns, arrays: plan.arrays.join(" and ") }),
    evidence: evidenceFor(entry, {
      ...{ file: input.file, line: lineOf(first.counted.loop), counter, value, ideal },
    }),
    gain,
  };
});
