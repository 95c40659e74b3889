import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { promises } from "../causes/keep-stored-element";
import { blockShape } from "../launch/block-shape";
import { planeOf } from "../points/numbering";
import { type PointSpace, pointSpace } from "../points/point-space";
import { plainType, pointLines, walkNames } from "../points/tile-walk";
import { type InnerPoints, innerPoints, type RangeCondition, unrolled } from "./inner-points";
import { type Reuse, reuseIn, windowLoad } from "./window";

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
  const inner = innerPoints(view, space);
  return heights.map((height) =>
    proposal(input, entry, { view, space, inner, at, seen, block: [wide, high], height }),
  );
});

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly inner: InnerPoints;
  readonly at: SyntaxNode;
  readonly seen: Reuse;
  readonly block: readonly [number, number];
  /** Outputs of a thread, below each other. */
  readonly height: number;
}

function proposal(input: RuleInput, entry: RuleEntry, rewrite: Rewrite): RuleAnswer {
  const { at, seen, height } = rewrite;
  const facts = { file: input.file, line: lineOf(at), counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [edited(rewrite), ...promises(rewrite.view)]),
    hypothesis: fillSentence(entry.hypothesis, { height: String(height) }),
    evidence: evidenceFor(entry, { ...facts, value: seen.value, ideal: seen.fresh }),
    gain: gainOn(input, ["issue", "l1", "l2", "latency", "dram"], threshold(entry, "share")),
  };
}

function edited(rewrite: Rewrite): TextEdit {
  const { view, space, inner, height } = rewrite;
  const { source } = view;
  const names = walkNames(source, space);
  const fresh = (wish: string): string => freshName(source, wish);
  const [column, line, turn] = [fresh("column"), fresh("line"), fresh("turn")];
  const [wide, high] = rewrite.block;
  const [across, down] = space.axes;
  const work = (edits: readonly TextEdit[]): readonly string[] =>
    space.statements.map((node) => {
      const range = { start: node.startIndex, end: node.endIndex };
      const own = edits.filter(({ start, end }) => start >= range.start && end <= range.end);
      return editedText(source, range, own);
    });
  const numbers = [column, height === 1 ? line : `${line} + ${turn}`] as const;
  const first = [names.firstAcross, line] as const;
  const last = [`${names.firstAcross} + ${wide - 1}`, `${line} + ${height - 1}`] as const;
  const conditions = [...inner.conditions, ...endConditions(space)].map(
    ({ axis, end, text }) => `${(end === "first" ? first : last)[axis]}${text}`,
  );
  const loop = `for (int ${turn} = 0; ${turn} < ${height}; ++${turn}) {`;
  const turns = (lines: readonly string[]): readonly string[] => [
    ...(height === 1 ? ["{"] : ["#pragma unroll", loop]),
    ...lines.map((each) => `  ${each}`),
    "}",
  ];
  const unguarded = innerLines(space, numbers, {
    guards: inner.guards,
    work: work([...inner.edits, ...unrolled(view, space)]),
  });
  const lines = [
    ...space.kept,
    `const int ${names.firstAcross} = blockIdx.x * ${wide};`,
    `const int ${column} = ${names.firstAcross} + threadIdx.x;`,
    `const int ${line} = (blockIdx.y * ${high} + threadIdx.y) * ${height};`,
    `if (${names.firstAcross} >= ${across.extent} || ${line} >= ${down.extent}) return;`,
    `if (${[...new Set(conditions)].join(" && ")}) {`,
    ...turns(unguarded).map((each) => `  ${each}`),
    "} else {",
    ...turns(pointLines(space, numbers, work([]))).map((each) => `  ${each}`),
    "}",
  ];
  const { start, end } = space.region;
  return { start: start.startIndex, end: end.endIndex, text: lines.join(`\n${indentOf(source, start)}`) };
}

/** That all points of a range are there at all. */
function endConditions({ axes }: PointSpace): readonly RangeCondition[] {
  return ([0, 1] as const).map((axis) => ({ axis, end: "last", text: ` < ${axes[axis].extent}` }));
}

interface InnerWork {
  /** Conditions that are left. */
  readonly guards: readonly string[];
  readonly work: readonly string[];
}

/** Lines that give a point its numbers and run its work, whatever its numbers are. */
function innerLines(
  { axes: [first, second], definitions }: PointSpace,
  [column, row]: readonly [string, string],
  { guards, work }: InnerWork,
): readonly string[] {
  return [
    `const ${plainType(first)} ${first.name} = ${column};`,
    `const ${plainType(second)} ${second.name} = ${row};`,
    ...definitions,
    ...(guards.length === 0 ? work : [`if (${guards.join(" && ")}) {`, ...work, "}"]),
  ];
}
