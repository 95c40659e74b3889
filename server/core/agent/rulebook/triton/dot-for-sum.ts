import { collapse, compact, lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode } from "../edits";
import type { DataType } from "../../../workload/spec";
import { type Counts, countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry } from "../rule-table";
import { loadedType } from "./argument-types";
import { isCallOf, onlyAssignment, statementOf, tritonKernel, type TritonView } from "./kernel";
import { conversionIn } from "./products/operand-sources";
import { dotText, type ProductBySum, productsBySum } from "./products/product-by-sum";
import { holdOfSides } from "./products/tile-sides";
import { libraryOf } from "./spread/dimension";

const multiplyAddsOfOneInstruction = 16 * 8 * 16;

/**
 * A product of two matrices that is written as the sum of a block of three dimensions becomes `tl.dot`. The
 * products of 16-bit tiles are exact in float32, in which both add up.
 */
export const dotForSum = defineRule("triton-dot-for-sum", (input, entry) =>
  answersFor(input, { entry, types: ["float16", "bfloat16"], option: "", saved: saveAll }),
);

/**
 * The same for float32 tiles, which keep all their digits: the block of three dimensions is not made. Where
 * the right tile has the summed elements first, Triton multiplies so by itself.
 */
export const floatDotForSum = defineRule("triton-float-dot-for-sum", (input, entry) =>
  answersFor(input, {
    ...{ entry, types: ["float32"], option: ', input_precision="ieee"', onlyTurned: true },
    // A multiplication and an addition become one instruction.
    saved: ({ instructions }) => instructions / 2,
  }),
);

interface Kind {
  readonly entry: RuleEntry;
  /** Types of tiles that are multiplied so. */
  readonly types: readonly DataType[];
  /** What `tl.dot` is told beside its tiles. */
  readonly option: string;
  readonly saved: (counts: Counts) => number;
  /** Whether only products of rows by rows are meant. */
  readonly onlyTurned?: boolean;
}

function saveAll({ instructions, threadInstructions }: Counts): number {
  return instructions - Math.max(1, Math.ceil(threadInstructions / multiplyAddsOfOneInstruction));
}

function answersFor(input: RuleInput, kind: Kind): RuleAnswer | readonly RuleAnswer[] {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = productsBySum(view).filter(
    ({ left, right }) => left.turned || right.turned || kind.onlyTurned !== true,
  );
  return found.length === 0
    ? not("no-pattern", "no sum of products of two tiles is made", view.line)
    : found.map((product) => multiplied(input, kind, { view, product }));
}

function multiplied(
  input: RuleInput,
  { entry, types: wanted, option, saved }: Kind,
  { view, product }: { readonly view: TritonView; readonly product: ProductBySum },
): RuleAnswer {
  const { sum, left, right } = product;
  const statement = statementOf(sum);
  const counts = countsOf(input, statement);
  const value = counts.instructions;
  const ideal = Math.max(1, Math.round(value - saved(counts)));
  const gain = gainOn(
    input,
    ["issue", "fp32", "latency"],
    shareSaved(value - ideal, input.counters.totals.instructions),
  );
  const tiles = [left, right].map(({ tile }) => loadedTile(input, view, tile));
  const [type, otherType] = tiles.map((tile) => tile.type);
  if (type === undefined || otherType !== type || !wanted.includes(type))
    return not("type", `the tiles are not both loaded as ${wanted.join(" or both as ")}`, sum);
  const held = holdOfSides(view, sum);
  if (held !== undefined) return { ...held, gain };
  const library = libraryOf(view);
  const words = tiles.map(({ text, widened }) => (widened ? `${text}.to(${library}${type})` : text));
  const facts = { file: input.file, line: lineOf(statement), counter: "instructions" as const, value, ideal };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(sum, dotText(product, library, words, option))]),
    hypothesis: fillSentence(entry.hypothesis, { type }),
    evidence: evidenceFor(entry, facts, { type }),
    gain,
  };
}

/** A tile as it is written, with the type that it is loaded with, and whether it is widened at once. */
interface LoadedTile {
  readonly text: string;
  readonly type: DataType | undefined;
  readonly widened: boolean;
}

function loadedTile(input: RuleInput, view: TritonView, tile: SyntaxNode): LoadedTile {
  const named = tile.type === "identifier";
  const value = named
    ? (onlyAssignment(view.body, tile.text)?.childForFieldName("right") ?? undefined)
    : tile;
  const asked = value && conversionIn(value);
  const load = asked !== undefined && isSingle(asked.type) ? asked.of : value;
  const isLoaded = load !== undefined && isCallOf(view, load, "load");
  const type = isLoaded ? loadedType(input, view, load) : undefined;
  return { text: collapse(tile.text), type, widened: asked !== undefined && type !== "float32" };
}

function isSingle(type: SyntaxNode): boolean {
  return /(?:^|\.)float32$/.test(compact(type));
}
