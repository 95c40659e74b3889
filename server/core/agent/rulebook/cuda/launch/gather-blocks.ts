import { compact, isInside, lineOf, partsOf } from "../../../../language/query";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { isGlobalThreadIndex } from "../elements/item-loops";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { launchedBlocks, rowOfThreads } from "./block-shape";
import { countedBlocks, numbersElsewhere } from "./beside/counted-blocks";
import { factorOf } from "./grid-edit";

/** Threads of the new blocks, the most first: as long as there are blocks for every multiprocessor. */
const sizes = [128, 64, 32] as const;

/**
 * Blocks of one thread as threads of whole warps: what numbered the block numbers the thread, and how many
 * there are becomes a parameter.
 */
export const gatherBlocks = defineRule("cuda-gather-blocks", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  if (block.sizes[0] !== 1)
    return not("no-pattern", `a block has ${block.sizes[0]} threads, not one`, view.line);
  const { instructions } = input.counters.totals;
  const gain = gainOn(input, ["issue", "fp32", "integer", "latency"], 1 - 1 / 32);
  const held = threadsCooperate(view) ?? numbersElsewhere(view);
  if (held !== undefined) return { ...held, gain };
  const blocks = launchedBlocks(input, view) ?? 0;
  const multiprocessors = targetGpu(input).multiprocessors;
  const threads = sizes.find((size) => blocks >= size * multiprocessors) ?? 32;
  const edits = gathered(input, view, threads);
  if (isNot(edits)) return { ...edits, gain };
  const [launch] = view.launches;
  const facts = { file: input.file, line: launch === undefined ? view.line : lineOf(launch.call) };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { threads: String(threads) }),
    evidence: evidenceFor(entry, {
      ...{ ...facts, counter: "instructions", value: instructions, ideal: Math.ceil(instructions / 32) },
    }),
    gain,
  };
});

function gathered(input: RuleInput, view: KernelView, threads: number): readonly TextEdit[] | RuleHold {
  const [point, points] = ["point", "points"].map((wish) => freshName(view.source, wish));
  if (point === undefined || points === undefined) return [];
  const launched = countedBlocks(input, view, { each: threads, threads: String(threads), count: points });
  return isNot(launched) ? launched : [...launched, ...numbered(view, point, points)];
}

/** The number of the thread at the start of the body, and in place of all that says the block's. */
function numbered(view: KernelView, point: string, points: string): readonly TextEdit[] {
  const { body, source } = view;
  const sums = body
    .descendantsOfType("binary_expression")
    .filter((node) => /\bblockIdx\b/.test(node.text) && isGlobalThreadIndex(formIn(view, node), 1));
  const whole = sums.filter((node) => !sums.some((other) => other.id !== node.id && isInside(node, other)));
  const members = body.descendantsOfType("field_expression").flatMap((node) => {
    if (whole.some((sum) => isInside(node, sum))) return [];
    const texts: Readonly<Record<string, string>> = {
      ...{ "blockIdx.x": point, "gridDim.x": points },
      ...{ "threadIdx.x": "0", "threadIdx.y": "0", "threadIdx.z": "0" },
      ...{ "blockDim.x": "1", "blockDim.y": "1", "blockDim.z": "1" },
    };
    const text = texts[compact(node)];
    return text === undefined ? [] : [replaceNode(node, text)];
  });
  const [first] = partsOf(body);
  const indent = first === undefined ? "  " : indentOf(source, first);
  const start = body.startIndex + 1;
  const lines = [
    `const int ${point} = blockIdx.x * blockDim.x + threadIdx.x;`,
    `if (${factorOf(point)} >= ${points}) return;`,
  ];
  return [
    { start, end: start, text: lines.map((line) => `\n${indent}${line}`).join("") },
    ...whole.map((node) => replaceNode(node, point)),
    ...members,
  ];
}
