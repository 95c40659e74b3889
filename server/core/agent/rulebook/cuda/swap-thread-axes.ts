import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../evidence";
import type { RuleInput, RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, lineOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { callsReadThreadIndex, cudaKernel, usesWarpLevel } from "./kernel-source";
import { blockShape } from "./launch-site";

/**
 * Exchanges threadIdx.x and threadIdx.y in the whole kernel. In a square block that only renumbers the
 * threads, so the result is the same as long as nothing depends on which threads share a warp; what changes
 * is which addresses one warp touches together.
 */
export const swapThreadAxes = defineRule("cuda-swap-thread-axes", (input, entry) => {
  const kernel = cudaKernel(input);
  const block = kernel === undefined ? undefined : blockShape(input, kernel);
  if (kernel === undefined || block === undefined) return [];
  const [x, y, z] = block.sizes;
  if (x !== y || x < 2 || z !== 1 || usesWarpLevel(kernel) || callsReadThreadIndex(kernel)) return [];
  const axes = threadAxes(kernel);
  if (
    axes === undefined ||
    !axes.some((axis) => axis.text === "y") ||
    !axes.some((axis) => axis.text === "x")
  )
    return [];
  const worst = worstLine(input, kernel);
  if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio")) return [];
  const { totals } = input.counters;
  const edits = axes.flatMap((axis) =>
    axis.text === "x" || axis.text === "y" ? [replaceNode(axis, axis.text === "x" ? "y" : "x")] : [],
  );
  return [
    {
      tree: editedTree(input, edits),
      hypothesis: fillSentence(entry.hypothesis, {}),
      evidence: evidenceFor(entry, worst),
      gain: Math.max(
        gainOn(
          input,
          ["dram", "l2"],
          shareSaved(worst.wasted, totals.globalLoadSectors + totals.globalStoreSectors),
        ),
        gainOn(
          input,
          ["shared"],
          shareSaved(totals.sharedWavefronts - totals.sharedWavefrontsIdeal, totals.sharedWavefronts),
        ),
      ),
    },
  ];
});

/** The `x`, `y`, `z` after every `threadIdx.`; undefined when threadIdx is used in any other way. */
function threadAxes(kernel: CudaKernel): readonly RuleNode[] | undefined {
  const axes: RuleNode[] = [];
  for (const identifier of kernel.body.descendantsOfType("identifier")) {
    if (identifier.text !== "threadIdx") continue;
    const field =
      identifier.parent?.type === "field_expression" ? identifier.parent.childForFieldName("field") : null;
    if (field === null || field === undefined) return undefined;
    axes.push(field);
  }
  return axes;
}

function worstLine(input: RuleInput, kernel: CudaKernel) {
  const statements = new Map(
    kernel.body.descendantsOfType("subscript_expression").map((node) => {
      const statement = enclosing(node, ["expression_statement", "declaration"]) ?? node;
      return [statement.id, statement] as const;
    }),
  );
  let wasted = 0;
  let worst:
    | {
        file: string;
        line: number;
        counter: "globalLoadSectors" | "globalStoreSectors";
        value: number;
        ideal: number;
      }
    | undefined;
  for (const statement of statements.values()) {
    const counts = countsOf(input, statement);
    for (const [counter, value, ideal] of [
      ["globalLoadSectors", counts.globalLoadSectors, counts.globalLoadSectorsIdeal],
      ["globalStoreSectors", counts.globalStoreSectors, counts.globalStoreSectorsIdeal],
    ] as const) {
      wasted += Math.max(0, value - ideal);
      if (value > 0 && value - ideal > (worst === undefined ? 0 : worst.value - worst.ideal))
        worst = { file: input.file, line: lineOf(statement), counter, value, ideal };
    }
  }
  return worst === undefined ? undefined : { ...worst, wasted };
}
