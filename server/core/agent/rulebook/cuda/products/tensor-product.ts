import { lineOf, partsOf } from "../../../../language/query";
import { editedTree, insertBefore, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { resizedBlock, writtenBlock } from "../launch/grid-edit";
import { type PointSpace, pointSpace } from "../points/point-space";
import { outputsOf } from "../tiles/outputs-of";
import { stagedLoop } from "../tiles/staged-loop";
import { elementKind, hasTensorCores } from "./element-kind";
import { plainProduct } from "./plain-product";
import { type FragmentTile, onTensorCores } from "./tensor-lines";
import { untiled } from "./untiled";

const warp = 32;

/** Side of what one instruction of the tensor cores multiplies. */
const side = 16;

/** Computes a product of 16-bit floats, or of bytes, on the tensor cores, its operands in shared memory. */
export const tensorProduct = defineRule("cuda-tensor-product", (given, entry) => {
  const input = untiled(given) ?? given;
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const space = pointSpace(view, block.sizes);
  if (isNot(space)) return space;
  const loop = stagedLoop(view, space);
  if (isNot(loop)) return loop;
  const product = plainProduct(loop);
  const at = loop.loop.loop;
  if (product === undefined) return not("no-pattern", "the loop is no plain sum of products", at);
  const kind = elementKind(view, [product.rows.elementType, product.columns.elementType, product.sum.type]);
  if (kind === undefined) return not("no-pattern", "the tensor cores have no product of these types", at);
  const { instructions } = countsOf(input, at);
  if (instructions === 0) return not("no-evidence", "the loop was not counted", at);
  const gain = gainOn(input, ["issue", "l1", "l2", "latency", "fp32"], threshold(entry, "share"));
  const old = input.facts.find(({ architecture }) => !hasTensorCores(architecture));
  if (old !== undefined) return { ...not("limit", `${old.architecture} has no such tensor cores`, at), gain };
  const own = block.sizes[0] * block.sizes[1];
  const threads =
    own > threshold(entry, "threads") && isFree(view, space) ? threshold(entry, "threads") : own;
  const tiles = tilesFor(input, entry, threads);
  if (isNot(tiles)) return { ...tiles, gain };
  const facts = { file: input.file, line: lineOf(at), counter: "instructions" as const };
  return tiles.map((tile) => ({
    kind: "proposal" as const,
    tree: editedTree(input, [
      onTensorCores({ view, space, loop, product, kind, tile }),
      ...(threads === own ? [] : resizedBlock(view, threads)),
      ...headers(view),
    ]),
    hypothesis: fillSentence(entry.hypothesis, { rows: String(tile.rows), columns: String(tile.columns) }),
    evidence: evidenceFor(entry, {
      ...facts,
      value: instructions,
      ideal: Math.ceil(instructions / threshold(entry, "times")),
    }),
    gain,
  }));
});

/** True where the source says the block, and nothing but the launch depends on it. */
function isFree(view: KernelView, { axes, definitions, kept, table }: PointSpace): boolean {
  if (table) return false;
  const texts = [...axes.map(({ extent }) => extent), ...definitions, ...kept];
  return writtenBlock(view) !== undefined && !texts.some((text) => /\b(gridDim|blockDim)\b/.test(text));
}

const shapes: readonly { readonly rows: number; readonly columns: number }[] = [
  { rows: 64, columns: 64 },
  { rows: 32, columns: 64 },
  { rows: 32, columns: 32 },
  { rows: 16, columns: 32 },
];

/** Tiles that give most multiprocessors one, the largest first; the judge chooses. */
function tilesFor(input: RuleInput, entry: RuleEntry, threads: number): readonly FragmentTile[] | RuleHold {
  const warps = threads / warp;
  if (!Number.isInteger(Math.log2(warps)) || warps < 2)
    return not("launch", `the ${threads} threads of a block are no whole warps`, 1);
  const outputs = outputsOf(input);
  const all = shapes.flatMap(({ rows, columns }): readonly FragmentTile[] => {
    const fragments = (rows / side) * (columns / side);
    const groups = Math.max(1, warps / fragments);
    const deep = Math.max(32, side * groups);
    const bytes = groups * rows * (columns + 4) * 4 + (rows + columns) * (deep + 8) * 2;
    return bytes > threshold(entry, "sharedBytesMost") ? [] : [{ rows, columns, deep, groups, threads }];
  });
  const most = targetGpu(input).multiprocessors;
  const full = all.filter(({ rows, columns }) => outputs / (rows * columns) >= most);
  const [first] = full;
  const last = all.at(-1);
  const second = all[all.findIndex((tile) => tile === (first ?? last)) - 1];
  const chosen = [first ?? last, second].flatMap((tile) => tile ?? []);
  return chosen.length === 0 ? not("limit", "no tile fits into shared memory", 1) : chosen;
}

/** The headers of the tensor cores' functions, in front of the file where they are not there yet. */
function headers({ source, model }: KernelView): readonly TextEdit[] {
  const [first] = partsOf(model.root);
  const missing = ["mma.h"].filter((name) => !source.includes(`<${name}>`));
  return first === undefined || missing.length === 0
    ? []
    : [insertBefore(first, missing.map((name) => `#include <${name}>\n`).join(""))];
}
