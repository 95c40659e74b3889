import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { hiddenThreadIndex, threadAxes, warpLevelUse } from "../../../../language/cuda/body/threads";
import { enclosing, fieldText, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { type BlockShape, blockShape } from "../launch/block-shape";
import { hasNearLanes } from "./near-lanes";
import { turnedGrid } from "./turned-grid";

/**
 * Exchanges threadIdx.x and threadIdx.y (or z) in the whole kernel. In a square block that only renumbers the
 * threads, so the result is the same as long as nothing depends on which threads share a warp; what changes
 * is which addresses one warp touches together. Another block is turned together with the grid.
 */
export const swapThreadAxes = defineRule("cuda-swap-thread-axes", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const axes = renumberedAxes(view);
  if (isNot(axes)) return axes;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const worst = worstLine(input, view);
  if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "no line moves many more sectors than it needs", worst?.line ?? view.line);
  const gain = gainOf(input, worst);
  return axesOfRows(view, axes).map((axis) => {
    const edits = exchanged(input, view, { axes, block, axis });
    if (isNot(edits)) return edits;
    return {
      kind: "proposal",
      tree: editedTree(input, edits),
      hypothesis: fillSentence(entry.hypothesis, { axis }),
      evidence: evidenceFor(entry, worst),
      gain,
    };
  });
});

function gainOf(input: RuleInput, { wasted }: WorstLine): number {
  const { totals } = input.counters;
  return Math.max(
    gainOn(input, ["dram", "l2"], shareSaved(wasted, totals.globalLoadSectors + totals.globalStoreSectors)),
    gainOn(
      input,
      ["shared"],
      shareSaved(totals.sharedWavefronts - totals.sharedWavefrontsIdeal, totals.sharedWavefronts),
    ),
  );
}

function exchanged(
  input: RuleInput,
  view: KernelView,
  {
    axes,
    block,
    axis,
  }: { readonly axes: readonly SyntaxNode[]; readonly block: BlockShape; readonly axis: "y" | "z" },
): readonly TextEdit[] | RuleHold {
  const [x, y, z] = block.sizes;
  if (x < 2) return not("launch", `the block has ${block.sizes.join(" × ")} threads`, view.line);
  return x === (axis === "y" ? y : z)
    ? axes.flatMap((each) => swapped(each, axis))
    : turnedGrid(input, view, { block, axis });
}

/** `x` for the axis and the axis for `x`; the third one stays. */
function swapped(node: SyntaxNode, axis: "y" | "z"): readonly TextEdit[] {
  if (node.text === "x") return [replaceNode(node, axis)];
  return node.text === axis ? [replaceNode(node, "x")] : [];
}

/**
 * The axis whose threads walk along the rows, as far as the indices say it; else both that the kernel uses,
 * and what is counted decides.
 */
function axesOfRows(view: KernelView, axes: readonly SyntaxNode[]): readonly ("y" | "z")[] {
  const used = (["y", "z"] as const).filter(
    (axis) => axes.some(({ text }) => text === axis) || blocksAlong(view, axis),
  );
  const walks = (axis: "y" | "z"): number =>
    view.body.descendantsOfType("subscript_expression").filter((node) => {
      const index = subscriptIndex(node);
      const place = axes.some(({ text }) => text === axis) ? `threadIdx.${axis}` : `blockIdx.${axis}`;
      return index !== undefined && formIn(view, index).get(place) === 1;
    }).length;
  const seen = used.filter((axis) => walks(axis) > 0);
  return seen.length === 1 ? seen : used;
}

/** True where the kernel uses the number of the block along an axis. */
function blocksAlong({ body }: KernelView, axis: "y" | "z"): boolean {
  return usesOf(body, "blockIdx").some(({ parent }) => fieldText(parent, "field") === axis);
}

/** Every axis after `threadIdx.`; a guard's answer when something else knows the numbering. */
function renumberedAxes(view: KernelView): readonly SyntaxNode[] | RuleHold {
  const { axes, whole } = threadAxes(view.body);
  const uses = (name: string): boolean => axes.some((axis) => axis.text === name);
  const others = (["y", "z"] as const).filter((axis) => uses(axis) || blocksAlong(view, axis));
  if (!uses("x") || others.length === 0)
    return not("no-pattern", "the kernel numbers its threads along one axis", view.line);
  if (whole !== undefined) return not("aliasing", "threadIdx is passed on as a whole", whole);
  const warp = warpLevelUse(view.model, view.kernel);
  if (warp !== undefined)
    return not("cooperation", `${warp.text} depends on which threads share a warp`, warp.line);
  const hidden = hiddenThreadIndex(view.model, view.kernel);
  if (hidden !== undefined)
    return not("dependence", "a macro or a called function reads threadIdx", hidden.line);
  return axes;
}

type SectorCounter = "globalLoadSectors" | "globalStoreSectors";

interface WorstLine {
  readonly file: string;
  readonly line: number;
  readonly counter: SectorCounter;
  readonly value: number;
  readonly ideal: number;
  /** Sectors wasted by all lines together. */
  readonly wasted: number;
}

/** So many rows a request of a warp touches at least where threads walk down columns. */
const rowsLeast = 6;

function worstLine(input: RuleInput, view: KernelView): WorstLine | undefined {
  const statements = new Map(
    view.body.descendantsOfType("subscript_expression").map((node) => {
      const statement = enclosing(node, "expression_statement", "declaration") ?? node;
      return [statement.id, statement] as const;
    }),
  );
  const apart = [...statements.values()].filter((statement) => !hasNearLanes(view, statement));
  const rows = apart.flatMap((statement) => {
    const counts = countsOf(input, statement);
    return (["globalLoadSectors", "globalStoreSectors"] as const).map((counter) => ({
      line: lineOf(statement),
      counter,
      value: counts[counter],
      ideal: counts[`${counter}Ideal`],
      requests: counts[counter === "globalLoadSectors" ? "globalLoadRequests" : "globalStoreRequests"],
    }));
  });
  const wasted = rows.reduce((sum, { value, ideal }) => sum + Math.max(0, value - ideal), 0);
  const [worst] = rows
    // Lanes a few elements apart share sectors: no other axis brings those together.
    .filter(({ value, ideal, requests }) => value > ideal && value >= rowsLeast * requests)
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined) return undefined;
  const { line, counter, value, ideal } = worst;
  return { file: input.file, line, counter, value, ideal, wasted };
}
