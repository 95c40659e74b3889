import { collapse, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { DataType } from "../../../../workload/spec";
import { capabilityOf } from "../../../../timing/gpu-model";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { loadedType, tileOf } from "../argument-types";
import { keyword, languageCalls, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { dotText, productsBySum } from "./product-by-sum";
import { holdOfSides } from "./tile-sides";

/**
 * What makes three products of TF32 numbers for one of float32: of the leading parts, and of each leading
 * part with the other's rest. Together they keep about as many digits as float32 has.
 */
export const threeProducts = ', input_precision="tf32x3"';

/** Whether the tensor cores of all architectures that a kernel was compiled for multiply TF32 numbers. */
export function multipliesTf32({ facts }: RuleInput): boolean {
  return facts.every(({ architecture }) => Number(capabilityOf(architecture)) >= 8);
}

/**
 * A product of float32 tiles that keeps its digits, so that no tensor core does it, becomes three products of
 * TF32 numbers on the tensor cores.
 */
export const floatTensorDot = defineRule("triton-float-tensor-dot", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  if (!multipliesTf32(input)) return not("limit", "the tensor cores multiply no TF32 numbers", view.line);
  const found = [...dotsIn(view), ...sumsIn(view)];
  return found.length === 0
    ? not("no-pattern", "the kernel makes no product of tiles that keeps all digits of float32", view.line)
    : found.map((product) => multiplied(input, entry, { view, product }));
});

/** A product of tiles, and the edit that brings it to the tensor cores. */
interface FloatProduct {
  readonly node: SyntaxNode;
  readonly tiles: readonly SyntaxNode[];
  readonly edits: readonly TextEdit[];
}

/** `tl.dot(a, b, input_precision="ieee")`, or with `allow_tf32=False`. */
function dotsIn(view: TritonView): readonly FloatProduct[] {
  return languageCalls(view, ["dot"]).flatMap((node) => {
    const precision = keyword(node, "input_precision") ?? keyword(node, "allow_tf32");
    const given = precision?.parent;
    return given
      ? [{ node, tiles: positional(node).slice(0, 2), edits: [replaceNode(given, threeProducts.slice(2))] }]
      : [];
  });
}

/** `tl.sum(a[:, :, None] * b[None, :, :], 1)`. */
function sumsIn(view: TritonView): readonly FloatProduct[] {
  const library = libraryOf(view);
  return productsBySum(view).map((product) => {
    const { sum, left, right } = product;
    const tiles = [left.tile, right.tile];
    const words = tiles.map((tile) => wideText(tile, library));
    return { node: sum, tiles, edits: [replaceNode(sum, dotText(product, library, words, threeProducts))] };
  });
}

/** A tile as float32, which changes nothing where it is that already. */
function wideText(tile: SyntaxNode, library: string): string {
  const text = collapse(tile.text);
  return `${/operator$/.test(tile.type) ? `(${text})` : text}.to(${library}float32)`;
}

function multiplied(
  input: RuleInput,
  entry: RuleEntry,
  { view, product }: { readonly view: TritonView; readonly product: FloatProduct },
): RuleAnswer {
  const { node, tiles, edits } = product;
  const statement = statementOf(node);
  const { instructions: value, threadInstructions, tensorInstructions } = countsOf(input, statement);
  if (tensorInstructions > 0) return not("no-evidence", "the tensor cores do the product already", statement);
  if (value < threshold(entry, "instructionsLeast"))
    return not("no-evidence", "the product takes few instructions", statement);
  const ideal = Math.max(1, Math.ceil(threadInstructions / threshold(entry, "multiplyAddsOfOne")));
  // What brings tiles to the lanes that multiply them stands on the same line, and is less as well.
  const share = shareSaved(value - ideal, input.counters.totals.instructions);
  const gain = gainOn(input, ["issue", "fp32", "shared", "latency"], share);
  const held = holdOfTypes(input, view, tiles) ?? holdOfSides(view, node);
  if (held !== undefined) return { ...held, gain };
  const facts = { file: input.file, line: lineOf(statement), counter: "instructions" as const, value, ideal };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, facts),
    gain,
  };
}

/** Tiles of 16 bits need one product alone, and doubles have more digits than three products keep. */
function holdOfTypes(input: RuleInput, view: TritonView, tiles: readonly SyntaxNode[]): RuleHold | undefined {
  const types = tiles.map((tile): DataType | undefined => {
    const load = tileOf(view, tile)?.load;
    return load && loadedType(input, view, load);
  });
  const other = types.find((type) => type !== undefined && type !== "float32");
  const [first] = tiles;
  return other !== undefined && first !== undefined
    ? not("type", `a tile is loaded as ${other}`, first)
    : undefined;
}
