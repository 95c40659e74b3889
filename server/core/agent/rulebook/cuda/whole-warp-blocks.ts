import { editedTree, replaceNode } from "../edits";
import { evidenceFor, gainOn, wasteOf } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { lineOf } from "../syntax";
import { cudaKernel } from "./kernel-source";
import { blockShape, isFixedElsewhere, servesOtherKernels } from "./launch-site";

const warp = 32;

/**
 * Rounds the block of a one-dimensional launch up to whole warps (a multiple of 128 threads), so that no warp
 * runs with idle lanes.
 */
export const wholeWarpBlocks = defineRule("cuda-whole-warp-blocks", (input, entry) => {
  const kernel = cudaKernel(input);
  const block = kernel === undefined ? undefined : blockShape(input, kernel);
  const [node] = block?.nodes ?? [];
  if (
    kernel === undefined ||
    block === undefined ||
    node === undefined ||
    block.sizes[1] !== 1 ||
    block.sizes[2] !== 1
  )
    return [];
  const [threads] = block.sizes;
  const { instructions, threadInstructions } = input.counters.totals;
  const ideal = Math.ceil(threadInstructions / warp);
  if (threads % warp === 0 || wasteOf(instructions, ideal) < threshold(entry, "ratio")) return [];
  const holder = node.type === "identifier" ? kernel.constants.get(node.text)?.valueNode : node;
  const granule = threshold(entry, "granule");
  const next = Math.ceil(threads / granule) * granule;
  if (
    holder?.type !== "number_literal" ||
    next > threshold(entry, "threadsMost") ||
    isFixedElsewhere(input, kernel, threads, holder)
  )
    return [];
  if (node.type === "identifier" && servesOtherKernels(kernel, node.text)) return [];
  const facts = {
    file: input.file,
    line: lineOf(holder),
    counter: "threadsPerBlock" as const,
    value: threads,
    ideal: next,
  };
  return [
    {
      tree: editedTree(input, [replaceNode(holder, String(next))]),
      hypothesis: fillSentence(entry.hypothesis, { threads: String(next) }),
      evidence: evidenceFor(entry, facts, { lanes: threadInstructions / Math.max(1, instructions) }),
      gain: gainOn(input, ["issue"], 1 - ideal / Math.max(1, instructions)),
    },
  ];
});
