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
import { blockShape, literalBehind, servesOtherKernel } from "./block-shape";
import { specFixesGrid } from "./grid-edit";

/**
 * Gives a block of two dimensions that is smaller than a few warps whole warps along its rows, where a thread
 * is nothing but its number in the grid and the grid follows the block.
 */
export const widenBlock = defineRule("cuda-widen-block", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const [wide, high, deep] = block.sizes;
  const value = wide * high * deep;
  if (high === 1 || deep !== 1) return not("no-pattern", "the block has not two dimensions", view.line);
  if (value >= threshold(entry, "threadsLeast"))
    return not("no-evidence", `a block has ${value} threads`, view.line);
  const gain = gainOn(input, ["issue", "latency", "l1", "l2"], threshold(entry, "share"));
  const held = specFixesGrid(input)
    ? not("fixed-elsewhere", "the kernel spec fixes the grid, which would have to follow", view.line)
    : (threadsCooperate(view) ?? tiedToBlock(view));
  if (held !== undefined) return { ...held, gain };
  const edits = block.launch === undefined ? undefined : widened(view, entry, block.launch);
  if (edits === undefined || isNot(edits))
    return { ...(edits ?? not("launch", "the kernel has more than one launch", view.line)), gain };
  const facts = { file: input.file, line: lineOf(block.launch?.call ?? view.body) };
  const ideal = threshold(entry, "threads");
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, counter: "threadsPerBlock", value, ideal }),
    gain,
  };
});

/** Something that another block would change: a thread is to be its number along each axis and no more. */
function tiedToBlock(view: KernelView): RuleHold | undefined {
  const isPlace = (form: Form): boolean =>
    (["x", "y"] as const).some((axis) =>
      sameForm(form, formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 })),
    );
  const places = localValues(view.body).filter(({ value }) => isPlace(formIn(view, value)));
  const other = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
    .flatMap((name) => usesOf(view.body, name))
    .find((use) => !places.some(({ value }) => isInside(use, value)));
  return (
    other && not("dependence", `${other.text} is used for more than the thread's number in the grid`, other)
  );
}

/** The two extents of the block at the launch, where the grid is made from them, rounded up. */
function widened(view: KernelView, entry: RuleEntry, launch: CudaLaunch): readonly TextEdit[] | RuleHold {
  const { block, grid, names, call } = launch;
  const written = partsOf(call.children.find(({ type }) => type === "kernel_call_syntax"))[1];
  const [x, y] = [literalBehind(block[0], names), literalBehind(block[1], names)];
  if (x === undefined || y === undefined || written === undefined)
    return not("launch", "the block is computed at the launch", call);
  const follows = (["x", "y"] as const).every((axis, place) => {
    const text = grid[place]?.text ?? "";
    const named = [`${written.text}.${axis}`, [x, y][place]?.name];
    const divides = named.some((name) => name !== undefined && text.includes(name));
    return divides && /-\s*1\b|ceil|cdiv|div_?up/i.test(text);
  });
  if (!follows) return not("launch", "the grid does not follow the block, rounded up", call);
  const shared = [x, y].flatMap(({ name }) => (name === undefined || name.includes(".") ? [] : [name]));
  const served = shared.flatMap((name) => servesOtherKernel(view, name) ?? [])[0];
  if (served !== undefined) return served;
  if (x.node.id === y.node.id) return [replaceNumber(x.node, threshold(entry, "side"))];
  return [replaceNumber(x.node, threshold(entry, "wide")), replaceNumber(y.node, threshold(entry, "high"))];
}
