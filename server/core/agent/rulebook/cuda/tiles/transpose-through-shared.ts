import { at } from "../../../../base/known";
import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import type { Form } from "../../../../language/cuda/body/forms";
import { compact, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { layoutOf, spread } from "../causes/far-apart";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { accessesIn, elementTypeOf, type PointSpace, pointSpace } from "../points/point-space";
import { pointLines, tileWalk, walkNames } from "../points/tile-walk";

/** Side of the tile: a warp reads a row of it and writes a column. */
const side = 32;

/**
 * Moves the elements of which only one side is coalesced through a tile in shared memory: threads load along
 * the rows of the one array and store along those of the other.
 */
export const transposeThroughShared = defineRule("cuda-transpose-through-shared", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const { loads, stores, worst } = spread(input, view);
  const least = threshold(entry, "ratio");
  if (worst === undefined || Math.max(loads.ratio, stores.ratio) < least)
    return not("no-evidence", "no line moves many more sectors than it needs", view.line);
  const [value, ideal] = [loads.value + stores.value, loads.ideal + stores.ideal];
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(value - ideal, value));
  const edit = throughShared(input, view);
  if (isNot(edit)) {
    const transposed = layoutOf(view, { worst, loads, stores, least }) === "transposed";
    return transposed ? { ...edit, gain } : not("no-pattern", edit.sentence, edit.line);
  }
  const facts = { file: input.file, line: lineOf(worst.node), value, ideal };
  const counter = stores.ratio > loads.ratio ? "globalStoreSectors" : "globalLoadSectors";
  return {
    kind: "proposal",
    tree: editedTree(input, [edit]),
    hypothesis: fillSentence(entry.hypothesis, { side: String(side) }),
    evidence: evidenceFor(entry, { ...facts, counter }),
    gain,
  };
});

function throughShared(input: RuleInput, view: KernelView): TextEdit | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const threads = block.sizes[0] * block.sizes[1];
  if (threads % side !== 0 || threads > side * side)
    return not("launch", `the ${threads} threads of a block are no whole warps`, view.line);
  const space = pointSpace(view, block.sizes);
  if (isNot(space)) return space;
  const crossed = crossedLoads(view, space);
  return isNot(crossed) ? crossed : edited({ view, space, crossed, step: threads / side });
}

/** Loads that are coalesced along the one axis, where the stores are along the other. */
interface Crossed {
  readonly loads: readonly { readonly node: SyntaxNode; readonly elementType: string }[];
  /** The axis along which stores are coalesced: 0 or 1. */
  readonly storeAxis: 0 | 1;
}

function crossedLoads(view: KernelView, space: PointSpace): Crossed | RuleHold {
  const accesses = accessesIn(view, space.statements);
  const stores = accesses.filter(({ stores: does }) => does);
  const axes = new Set(stores.map((store) => contiguousAxis(space, store)));
  const [storeAxis] = axes;
  if (storeAxis === undefined || axes.size !== 1)
    return not("no-pattern", "the stores do not lie along one axis", stores[0]?.node ?? view.line);
  const loop = space.statements.flatMap((node) =>
    node.descendantsOfType(["for_statement", "while_statement", "do_statement"]),
  )[0];
  if (loop !== undefined) return not("no-pattern", "a point's work holds a loop", loop);
  const stored = new Set(stores.map(({ parameter }) => parameter));
  const across = accesses.filter(
    (access) => access.loads && !access.stores && contiguousAxis(space, access) === 1 - storeAxis,
  );
  const [first] = across;
  if (first === undefined) return not("no-pattern", "no load lies along the other axis", view.line);
  const own = across.find(({ parameter }) => stored.has(parameter));
  if (own !== undefined) return not("aliasing", `${own.base} is loaded as well as stored`, own.node);
  const loads: { node: SyntaxNode; elementType: string }[] = [];
  for (const { node, parameter, indexNode } of across) {
    const elementType = elementTypeOf(view, parameter);
    const inner = indexNode?.descendantsOfType(["subscript_expression", "call_expression"])[0];
    if (elementType === undefined || indexNode === undefined || inner !== undefined)
      return not("type", `${compact(node)} cannot be loaded ahead`, node);
    loads.push({ node, elementType });
  }
  return { loads, storeAxis };
}

/**
 * The axis along which neighbouring points are neighbours in memory, where the other one takes larger steps.
 */
function contiguousAxis(space: PointSpace, { indexNode }: CudaAccess): 0 | 1 | undefined {
  if (indexNode === undefined) return undefined;
  const form = space.form(indexNode);
  const [first, second] = space.axes.map(({ name }) => name);
  const isUnit = (name: string | undefined): boolean => name !== undefined && stepsOf(form, name) === "one";
  const isFar = (name: string | undefined): boolean => name !== undefined && stepsOf(form, name) === "far";
  if (isUnit(first) && isFar(second)) return 0;
  return isUnit(second) && isFar(first) ? 1 : undefined;
}

/** By how much an index grows with a number: not at all, by one, or by more. */
function stepsOf(form: Form, name: string): "none" | "one" | "far" {
  const terms = [...form].filter(([key]) => key.split(/[^\w.]+/).includes(name));
  const [term, ...more] = terms;
  if (term === undefined) return "none";
  return more.length === 0 && term[0] === name && term[1] === 1 ? "one" : "far";
}

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly crossed: Crossed;
  /** Rows of the tile that the block handles at a time. */
  readonly step: number;
}

function edited({ view, space, crossed, step }: Rewrite): TextEdit {
  const { source } = view;
  const names = walkNames(source, space);
  const tiles = crossed.loads.map((_, position) =>
    freshName(source, `staged${position === 0 ? "" : position + 1}`),
  );
  const [lane, row] = [freshName(source, "lane"), freshName(source, "line")];
  const first = [names.firstAcross, names.firstDown];
  /** Numbers of a point with the lanes of a warp along the axis. */
  const numbers = (axis: 0 | 1): readonly [string, string] => [
    `${at(first, 0)} + ${axis === 0 ? lane : row}`,
    `${at(first, 1)} + ${axis === 1 ? lane : row}`,
  ];
  const loaded = crossed.loads.map(
    ({ node }, position) => `${at(tiles, position)}[${row}][${lane}] = ${node.text};`,
  );
  const work = space.statements.map((statement) => {
    const inside = crossed.loads.flatMap(({ node }, position) =>
      isInside(node, statement) ? [replaceNode(node, `${at(tiles, position)}[${lane}][${row}]`)] : [],
    );
    return editedText(source, { start: statement.startIndex, end: statement.endIndex }, inside);
  });
  const head = `for (int ${row} = ${names.thread} / ${side}; ${row} < ${side}; ${row} += ${step}) {`;
  const pass = (axis: 0 | 1, lines: readonly string[]): readonly string[] => [
    head,
    ...pointLines(space, numbers(axis), lines).map((line) => `  ${line}`),
    "}",
    "__syncthreads();",
  ];
  const { storeAxis } = crossed;
  return tileWalk({
    ...{ view, space, names },
    sides: { across: side, down: side },
    declarations: crossed.loads.map(
      ({ elementType }, position) =>
        `__shared__ ${elementType} ${at(tiles, position)}[${side}][${side + 1}];`,
    ),
    tile: [
      `const int ${lane} = ${names.thread} % ${side};`,
      ...pass(storeAxis === 0 ? 1 : 0, loaded),
      ...pass(storeAxis, work),
    ],
  });
}
