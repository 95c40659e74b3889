import { lineOf } from "../../../../language/query";
import { editedTree, replaceNumber } from "../../edits";
import { evidenceFor, gainOn, wasteOf } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { fixedElsewhere, literalBehind, rowOfThreads, servesOtherKernel } from "./block-shape";

const warp = 32;

/**
 * Rounds the block of a one-dimensional launch up to whole warps (a multiple of 128 threads), so that no warp
 * runs with idle lanes.
 */
export const wholeWarpBlocks = defineRule("cuda-whole-warp-blocks", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const [threads] = block.sizes;
  const { instructions, threadInstructions } = input.counters.totals;
  const ideal = Math.ceil(threadInstructions / warp);
  if (threads % warp === 0)
    return not("no-pattern", `a block of ${threads} threads is whole warps`, view.line);
  if (wasteOf(instructions, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "few lanes are idle", view.line);
  if (block.launch === undefined)
    return not("fixed-elsewhere", "the kernel spec or several launches fix the block", view.line);
  const literal = literalBehind(block.launch.block[0], block.launch.names);
  if (literal === undefined) return not("launch", "the block is computed at the launch", block.launch.call);
  const granule = threshold(entry, "granule");
  const next = Math.ceil(threads / granule) * granule;
  if (next > threshold(entry, "threadsMost"))
    return not("limit", `${next} threads are more than a block may have`, literal.node);
  const held =
    fixedElsewhere(input, view, literal) ??
    (literal.name === undefined ? undefined : servesOtherKernel(view, literal.name));
  if (held !== undefined) return held;
  const facts = {
    file: input.file,
    line: lineOf(literal.node),
    counter: "threadsPerBlock" as const,
    value: threads,
    ideal: next,
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNumber(literal.node, next)]),
    hypothesis: fillSentence(entry.hypothesis, { threads: String(next) }),
    evidence: evidenceFor(entry, facts, { lanes: threadInstructions / Math.max(1, instructions) }),
    gain: gainOn(input, ["issue"], 1 - ideal / Math.max(1, instructions)),
  };
});
