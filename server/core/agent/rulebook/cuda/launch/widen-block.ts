import { type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { localValues } from "../../../../language/cuda/body/scope";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import { editedTree, replaceNumber, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { type BlockShape, blockShape, type Literal, literalBehind, servesOtherKernel } from "./block-shape";
import { extentDivisor } from "./grid-divisor";
import { specFixesGrid } from "./grid-edit";

/**
 * Gives a block of two dimensions that is smaller than a few warps, and one of three, whole warps along its
 * rows, where a thread is nothing but its number in the grid and the grid follows the block.
 */
export const widenBlock = defineRule("cuda-widen-block", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const narrow = narrowness(view, entry, block);
  if (isNot(narrow)) return narrow;
  const gain = gainOn(input, ["issue", "latency", "l1", "l2"], threshold(entry, "share"));
  const held = specFixesGrid(input, view)
    ? not("fixed-elsewhere", "the kernel spec fixes the grid, which would have to follow", view.line)
    : (threadsCooperate(view, { sums: true }) ?? tiedToBlock(view));
  if (held !== undefined) return { ...held, gain };
  const { launch } = block;
  if (launch === undefined)
    return { ...not("launch", "the kernel has more than one launch", view.line), gain };
  const edits = widened(view, entry, { launch, deep: block.sizes[2] });
  if (isNot(edits)) return { ...edits, gain };
  const { value, ideal, along } = narrow;
  const facts = { file: input.file, line: lineOf(launch.call), counter: "threadsPerBlock" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, { along }),
    gain,
  };
});

interface Narrowness {
  readonly value: number;
  readonly ideal: number;
  /** Words for what was counted. */
  readonly along: string;
}

/** What is too small about a block: all of it, or its rows where it has three dimensions. */
function narrowness(view: KernelView, entry: RuleEntry, block: BlockShape): Narrowness | RuleHold {
  const [wide, high, deep] = block.sizes;
  const value = wide * high * deep;
  if (high === 1) return not("no-pattern", "the block has not two dimensions", view.line);
  const rows = threshold(entry, "wide");
  if (deep > 1 && wide < rows) return { value: wide, ideal: rows, along: "along the rows " };
  return value >= threshold(entry, "threadsLeast")
    ? not("no-evidence", `a block has ${value} threads`, view.line)
    : { value, ideal: threshold(entry, "threads"), along: "" };
}

/** Something that another block would change: a thread is to be its number along each axis and no more. */
export function tiedToBlock(view: KernelView): RuleHold | undefined {
  const isPlace = (form: Form): boolean => {
    const number = new Map([...form].filter(([key]) => key !== ""));
    return (["x", "y", "z"] as const).some((axis) =>
      sameForm(number, formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 })),
    );
  };
  const places = localValues(view.body).filter(({ value }) => isPlace(formIn(view, value)));
  const other = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
    .flatMap((name) => usesOf(view.body, name))
    .find((use) => !places.some(({ value }) => isInside(use, value)));
  return (
    other && not("dependence", `${other.text} is used for more than the thread's number in the grid`, other)
  );
}

interface Widening {
  readonly launch: CudaLaunch;
  /** The third extent of the block. */
  readonly deep: number;
}

/** The extents of the block at the launch, where the grid is made from them, rounded up. */
function widened(
  view: KernelView,
  entry: RuleEntry,
  { launch, deep }: Widening,
): readonly TextEdit[] | RuleHold {
  const { block, names, call } = launch;
  const sides = [threshold(entry, "wide"), threshold(entry, "high"), 1] as const;
  const places = deep === 1 ? ([0, 1] as const) : ([0, 1, 2] as const);
  const extents = places.flatMap((place) => {
    const literal = literalBehind(block[place], names);
    return literal === undefined ? [] : [{ place, literal, side: sides[place] }];
  });
  const [first, second] = extents;
  if (first === undefined || second === undefined || extents.length < places.length)
    return not("launch", "the block is computed at the launch", call);
  const shared = extents.flatMap(({ literal: { name } }) =>
    name === undefined || name.includes(".") ? [] : [name],
  );
  const served = shared.flatMap((name) => servesOtherKernel(view, name) ?? [])[0];
  if (served !== undefined) return served;
  const nodes = new Set(extents.map(({ literal }) => literal.node.id));
  if (nodes.size < extents.length && extents.length > 2)
    return not("fixed-elsewhere", "one number is the block along several axes", call);
  const square = nodes.size < extents.length;
  const sized = extents.map((extent) => (square ? { ...extent, side: threshold(entry, "side") } : extent));
  const grids = sized.map((extent) => followingGrid(launch, extent));
  if (grids.some((edits) => edits === undefined))
    return not("launch", "the grid does not follow the block, rounded up", call);
  const literals = new Map(
    sized.map(({ literal, side }) => [literal.node.id, replaceNumber(literal.node, side)] as const),
  );
  return [...literals.values(), ...grids.flatMap((edits) => edits ?? [])];
}

interface WidenedExtent {
  readonly place: 0 | 1 | 2;
  readonly literal: Literal;
  readonly side: number;
}

/** What the grid needs for another extent of the block; nothing where it names the block. */
export function followingGrid(
  launch: CudaLaunch,
  { place, literal, side }: WidenedExtent,
): readonly TextEdit[] | undefined {
  const written = partsOf(launch.call.children.find(({ type }) => type === "kernel_call_syntax"))[1];
  const text = launch.grid[place]?.text ?? "";
  const named = [`${written?.text ?? ""}.${["x", "y", "z"][place]}`, literal.name];
  const divides = named.some((name) => name !== undefined && text.includes(name));
  if (divides) return /-\s*1\b|ceil|cdiv|div_?up/i.test(text) ? [] : undefined;
  return extentDivisor(launch, place)?.times(side / literal.value);
}
