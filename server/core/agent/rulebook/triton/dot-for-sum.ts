import { compact, fieldText, lineOf, operands } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode } from "../edits";
import type { DataType } from "../../../workload/spec";
import { type Counts, countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry } from "../rule-table";
import { loadedType } from "./argument-types";
import {
  isCallOf,
  keyword,
  languageCalls,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";
import { conversionIn } from "./products/operand-sources";
import { holdOfSides } from "./products/tile-sides";

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
  const found = languageCalls(view, ["sum"])
    .flatMap((sum) => productIn(view, sum) ?? [])
    .filter(({ turned }) => turned || kind.onlyTurned !== true);
  return found.length === 0
    ? not("no-pattern", "no sum of products of two tiles is made", view.line)
    : found.map((product) => multiplied(input, kind, { view, product }));
}

interface Product {
  readonly sum: SyntaxNode;
  readonly left: string;
  readonly right: string;
  /** True where the right tile has the summed elements last. */
  readonly turned: boolean;
}

const widened = String.raw`(?:\.to\((?:\w+|triton\.language)\.float32\))?`;
const spread = (subscript: string): string => String.raw`(\w+)${subscript}${widened}`;
/** `a[:, :, None] * b[None, :, :]` summed over 1, `a[:, None, :] * b[None, :, :]` over 2. */
const forms = [
  {
    axes: ["1", "-2"],
    pattern: `^${spread(String.raw`\[:,:,None\]`)}\\*${spread(String.raw`\[None,:,:\]`)}$`,
    turned: false,
  },
  {
    axes: ["2", "-1"],
    pattern: `^${spread(String.raw`\[:,None,:\]`)}\\*${spread(String.raw`\[None,:,:\]`)}$`,
    turned: true,
  },
];

function productIn(view: TritonView, sum: SyntaxNode): Product | undefined {
  const [given, place] = positional(sum);
  const axis = (keyword(sum, "axis") ?? place)?.text ?? "";
  const name = given?.type === "identifier" ? given.text : undefined;
  const factors = name === undefined ? given : onlyAssignment(view.body, name)?.childForFieldName("right");
  const texts = factors ? inBothOrders(factors) : [];
  for (const { axes, pattern, turned } of forms) {
    if (!axes.includes(axis)) continue;
    const [, left, right] = texts.flatMap((text) => new RegExp(pattern).exec(text) ?? []);
    if (left !== undefined && right !== undefined) return { sum, left, right, turned };
  }
  return undefined;
}

/** A product of two factors as it is written, and the other way round. */
function inBothOrders(factors: SyntaxNode): readonly string[] {
  const texts = operands(factors, "*").map(compact);
  return [texts.join("*"), texts.reverse().join("*")];
}

function multiplied(
  input: RuleInput,
  { entry, types: wanted, option, saved }: Kind,
  { view, product }: { readonly view: TritonView; readonly product: Product },
): RuleAnswer {
  const { sum, left, right, turned } = product;
  const statement = statementOf(sum);
  const counts = countsOf(input, statement);
  const value = counts.instructions;
  const ideal = Math.max(1, Math.round(value - saved(counts)));
  const gain = gainOn(
    input,
    ["issue", "fp32", "latency"],
    shareSaved(value - ideal, input.counters.totals.instructions),
  );
  const tiles = [left, right].map((name) => loadedTile(input, view, name));
  const [type, otherType] = tiles.map((tile) => tile.type);
  if (type === undefined || otherType !== type || !wanted.includes(type))
    return not("type", `the tiles are not both loaded as ${wanted.join(" or both as ")}`, sum);
  const held = holdOfSides(view, sum);
  if (held !== undefined) return { ...held, gain };
  const library = fieldText(sum.childForFieldName("function"), "object");
  const [one, two] = tiles.map(({ text, widened }) => (widened ? `${text}.to(${library}.${type})` : text));
  const other = turned ? `${library}.trans(${two})` : two;
  const facts = { file: input.file, line: lineOf(statement), counter: "instructions" as const, value, ideal };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(sum, `${library}.dot(${one}, ${other}${option})`)]),
    hypothesis: fillSentence(entry.hypothesis, { type }),
    evidence: evidenceFor(entry, facts, { type }),
    gain,
  };
}

/** A tile by its name, with the type that it is loaded with, and whether it is widened at once. */
interface LoadedTile {
  readonly text: string;
  readonly type: DataType | undefined;
  readonly widened: boolean;
}

function loadedTile(input: RuleInput, view: TritonView, name: string): LoadedTile {
  const value = onlyAssignment(view.body, name)?.childForFieldName("right") ?? undefined;
  const asked = value && conversionIn(value);
  const load = asked !== undefined && isSingle(asked.type) ? asked.of : value;
  const isLoaded = load !== undefined && isCallOf(view, load, "load");
  const type = isLoaded ? loadedType(input, view, load) : undefined;
  return { text: name, type, widened: asked !== undefined && type !== "float32" };
}

function isSingle(type: SyntaxNode): boolean {
  return /(?:^|\.)float32$/.test(compact(type));
}
