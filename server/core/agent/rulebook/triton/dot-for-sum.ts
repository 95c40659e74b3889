import { compact, fieldText, lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
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
import { holdOfSides } from "./products/tile-sides";

const multiplyAddsOfOneInstruction = 16 * 8 * 16;

/**
 * A product of two matrices that is written as the sum of a block of three dimensions becomes `tl.dot`. The
 * products of 16-bit tiles are exact in float32, in which both add up.
 */
export const dotForSum = defineRule("triton-dot-for-sum", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = languageCalls(view, ["sum"]).flatMap((sum) => productIn(sum) ?? []);
  return found.length === 0
    ? not("no-pattern", "no sum of products of two tiles is made", view.line)
    : found.map((product) => multiplied(input, entry, { view, product }));
});

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
    axis: "1",
    pattern: `^${spread(String.raw`\[:,:,None\]`)}\\*${spread(String.raw`\[None,:,:\]`)}$`,
    turned: false,
  },
  {
    axis: "2",
    pattern: `^${spread(String.raw`\[:,None,:\]`)}\\*${spread(String.raw`\[None,:,:\]`)}$`,
    turned: true,
  },
];

function productIn(sum: SyntaxNode): Product | undefined {
  const [factors, place] = positional(sum);
  const axis = (keyword(sum, "axis") ?? place)?.text;
  for (const form of forms) {
    const [, left, right] = new RegExp(form.pattern).exec(compact(factors)) ?? [];
    if (axis === form.axis && left !== undefined && right !== undefined)
      return { sum, left, right, turned: form.turned };
  }
  return undefined;
}

function multiplied(
  input: RuleInput,
  entry: RuleEntry,
  { view, product }: { readonly view: TritonView; readonly product: Product },
): RuleAnswer {
  const { sum, left, right, turned } = product;
  const statement = statementOf(sum);
  const { instructions: value, threadInstructions } = countsOf(input, statement);
  const ideal = Math.max(1, Math.ceil(threadInstructions / multiplyAddsOfOneInstruction));
  const gain = gainOn(
    input,
    ["issue", "fp32", "latency"],
    shareSaved(value - ideal, input.counters.totals.instructions),
  );
  const types = [left, right].map((name) => {
    const load = onlyAssignment(view.body, name)?.childForFieldName("right");
    return load && isCallOf(view, load, "load") ? loadedType(input, view, load) : undefined;
  });
  const [type] = types;
  if (type === undefined || types[1] !== type || !["float16", "bfloat16"].includes(type))
    return { ...not("type", "the tiles are not both loaded as float16 or both as bfloat16", sum), gain };
  const held = holdOfSides(view, sum);
  if (held !== undefined) return { ...held, gain };
  const library = fieldText(sum.childForFieldName("function"), "object");
  const other = turned ? `${library}.trans(${right})` : right;
  const facts = { file: input.file, line: lineOf(statement), counter: "instructions" as const, value, ideal };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(sum, `${library}.dot(${left}, ${other})`)]),
    hypothesis: fillSentence(entry.hypothesis, { type }),
    evidence: evidenceFor(entry, facts, { type }),
    gain,
  };
}
