import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../evidence";
import type { RuleInput, RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, lineOf, usesOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel, usesWarpLevel } from "./kernel-source";
import { subscriptIndex } from "./shared-array";
import type { ItemLoop } from "./thread-items";
import { isBlockedStart, itemLoops, localValues, sumsOf } from "./thread-items";

/**
 * Deals the items of a block out to its threads in turn instead of in runs, so that neighbouring lanes touch
 * neighbouring addresses. The block covers the same elements; which thread handles one must not matter, so
 * only element-wise loops are taken.
 */
export const interleaveThreadItems = defineRule("cuda-interleave-thread-items", (input, entry) => {
  const kernel = cudaKernel(input);
  if (
    kernel === undefined ||
    usesWarpLevel(kernel) ||
    /__shared__|__syncthreads|\batomic/.test(kernel.body.text)
  )
    return [];
  return itemLoops(kernel).flatMap((loop) => {
    const start = localValues(kernel.body).find(
      (local) =>
        isBlockedStart(local.value, loop.items) && local.declaration.endIndex <= loop.loop.startIndex,
    );
    const sums = start === undefined ? undefined : sumsOf(loop, start.name);
    if (start === undefined || sums === undefined || !isElementWise(loop, kernel, sums)) return [];
    const outside = usesOf(kernel.body, start.name).length - usesOf(loop.body, start.name).length;
    if (outside !== 1) return [];
    const counts = countsOf(input, loop.body);
    const value = counts.globalLoadSectors + counts.globalStoreSectors;
    const ideal = counts.globalLoadSectorsIdeal + counts.globalStoreSectorsIdeal;
    if (wasteOf(value, ideal) < threshold(entry, "ratio")) return [];
    const { totals } = input.counters;
    const edits = [
      replaceNode(start.value, `blockIdx.x * blockDim.x * ${loop.items.text} + threadIdx.x`),
      ...sums.map((sum) => replaceNode(sum, `${start.name} + ${loop.item} * blockDim.x`)),
    ];
    return [
      {
        tree: editedTree(input, edits),
        hypothesis: fillSentence(entry.hypothesis, { items: loop.count }),
        evidence: evidenceFor(entry, { file: input.file, ...worstAccess(input, loop.body) }),
        gain: gainOn(
          input,
          ["dram", "l2"],
          shareSaved(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors),
        ),
      },
    ];
  });
});

/**
 * The line inside the loop that wastes most sectors, by its loads, or by its stores when it loads nothing.
 */
function worstAccess(input: RuleInput, body: RuleNode) {
  const inside = input.counters.lines.filter(
    (at) => at.file === input.file && at.line > body.startPosition.row && at.line <= body.endPosition.row + 1,
  );
  const rows = inside.flatMap((at) => [
    {
      line: at.line,
      counter: "globalLoadSectors" as const,
      value: at.globalLoadSectors,
      ideal: at.globalLoadSectorsIdeal,
    },
    {
      line: at.line,
      counter: "globalStoreSectors" as const,
      value: at.globalStoreSectors,
      ideal: at.globalStoreSectorsIdeal,
    },
  ]);
  const [worst] = rows.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  return worst ?? { line: lineOf(body), counter: "globalLoadSectors" as const, value: 0, ideal: 0 };
}

/**
 * Each item stands alone: only array elements and variables of the iteration are written, and an array that
 * is written is read at the same index only.
 */
function isElementWise(loop: ItemLoop, kernel: CudaKernel, sums: readonly RuleNode[]): boolean {
  if (loop.body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]).length > 0)
    return false;
  const locals = localValues(loop.body);
  const own = new Set(locals.map((local) => local.name));
  const isSum = (node: RuleNode): boolean => sums.some((sum) => sum.id === node.id);
  const elements = new Set(locals.filter((local) => isSum(local.value)).map((local) => local.name));
  const written = new Map<string, string>();
  for (const act of loop.body.descendantsOfType(["assignment_expression", "update_expression"])) {
    const target = act.childForFieldName(act.type === "assignment_expression" ? "left" : "argument");
    if (target?.type === "identifier" && own.has(target.text) && !elements.has(target.text)) continue;
    const index = target === null ? undefined : subscriptIndex(target);
    const array = target?.childForFieldName("argument");
    if (index === undefined || array?.type !== "identifier" || !(isSum(index) || elements.has(index.text)))
      return false;
    if (written.has(array.text) && written.get(array.text) !== compact(index)) return false;
    written.set(array.text, compact(index));
  }
  return [...written].every(([array, index]) =>
    usesOf(kernel.body, array).every((use) => {
      const at = use.parent === null ? undefined : subscriptIndex(use.parent);
      return at !== undefined && compact(at) === index;
    }),
  );
}
