import { fieldText, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { DataType } from "../../../../workload/spec";
import { editedTree, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { loadedType } from "../argument-types";
import { keyword, languageCalls, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { precisionEdit, takesLoadedTiles } from "../tensor-core-dot";
import { conversionIn, operandSources } from "./operand-sources";

/**
 * Multiplies tiles in 16 bits that come from narrow memory and are computed with in float32 before: scaled,
 * masked, or the weights of a softmax. Bytes are exact in float16. What rounding costs the judge finds out.
 */
export const roundOperands = defineRule("triton-round-operands", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const dots = languageCalls(view, ["dot"]);
  if (dots.length === 0) return not("no-pattern", "the kernel multiplies no matrices", view.line);
  const found = dots.map((dot) => wideDot(input, view, dot));
  const wide = found.flatMap((each) => (isNot(each) ? [] : [each]));
  const [first, ...others] = wide;
  if (first === undefined) return found.flatMap((each) => (isNot(each) ? [each] : []));
  const sets = others.length === 0 ? [wide] : [wide, ...wide.map((each) => [each])];
  const answers = sets.flatMap((dotsOf, place) =>
    rounded(input, entry, { dots: dotsOf, isFirst: place === 0 }),
  );
  const [bytes] = bytesProduct(input, entry, wide);
  return bytes === undefined ? answers : [bytes, ...answers];
});

/** A product whose operands are float32, and the type that both of them are loaded with or fit in. */
interface WideDot {
  readonly dot: SyntaxNode;
  readonly operands: readonly SyntaxNode[];
  readonly type: "float16" | "bfloat16";
  /** The types of all that the operands are loaded from. */
  readonly loaded: readonly (DataType | undefined)[];
  readonly library: string;
}

function wideDot(input: RuleInput, view: TritonView, dot: SyntaxNode): WideDot | RuleHold {
  const operands = positional(dot).slice(0, 2);
  const sources = operands.map((operand) => operandSources(view, operand));
  if (operands.length < 2 || sources.some(({ wide }) => !wide))
    return not("no-pattern", "an operand of the product is taken as it is loaded", dot);
  if (takesLoadedTiles(input, view, dot))
    return not("no-evidence", "the tiles are loaded and widened alone, which needs no rounding", dot);
  const loaded = sources.flatMap(({ loads }) => loads.map((load) => loadedType(input, view, load)));
  const type = narrowType(input, loaded);
  if (type === undefined) return not("type", "nothing that the product is made of has 16 or 8 bits", dot);
  const library = fieldText(dot.childForFieldName("function"), "object");
  return { dot, operands, type, loaded, library };
}

const short = (type: DataType | undefined): type is "float16" | "bfloat16" =>
  type === "float16" || type === "bfloat16";

const byte = (type: DataType | undefined): boolean => type === "int8" || type === "uint8";

/** The 16-bit type of what is loaded; of the inputs where that is not seen; float16 for bytes alone. */
function narrowType({ spec }: RuleInput, loaded: WideDot["loaded"]): WideDot["type"] | undefined {
  const given = Object.values(spec.inputs).map(({ dtype }) => dtype);
  const own = loaded.filter(short);
  const [type, ...others] = new Set(own.length > 0 ? own : given.filter(short));
  if (type !== undefined) return others.length === 0 ? type : undefined;
  const known = loaded.filter((each) => each !== undefined);
  const bytes = known.length > 0 ? known.every(byte) : given.length > 0 && given.every(byte);
  return bytes ? "float16" : undefined;
}

function rounded(
  input: RuleInput,
  entry: RuleEntry,
  { dots, isFirst }: { readonly dots: readonly WideDot[]; readonly isFirst: boolean },
): readonly RuleAnswer[] {
  const edits = dots.flatMap(({ dot, operands, type, library }) => [
    ...operands.flatMap((operand) => asType(operand, `${library}.${type}`)),
    ...precisionEdit(dot),
  ]);
  const proposal = proposalOf(input, entry, { dots, edits });
  return isNot(proposal) ? [proposal] : [{ ...proposal, isAlternative: !isFirst }];
}

interface Rewrite {
  readonly dots: readonly WideDot[];
  readonly edits: readonly TextEdit[];
}

function proposalOf(input: RuleInput, entry: RuleEntry, { dots, edits }: Rewrite): RuleProposal | RuleHold {
  const statements = dots.map(({ dot }) => statementOf(dot));
  const value = statements.reduce((sum, each) => sum + countsOf(input, each).instructions, 0);
  const [{ dot, type } = { dot: undefined, type: "float16" }] = dots;
  if (dot === undefined || value < threshold(entry, "instructionsLeast"))
    return not("no-evidence", "the product takes few instructions", dot ?? 1);
  const onTensorCores = statements.some((each) => countsOf(input, each).tensorInstructions > 0);
  const saved = value * (onTensorCores ? 1 / 2 : threshold(entry, "savedWithout"));
  const counted = shareSaved(saved, input.counters.totals.instructions);
  const share = Math.max(counted, threshold(entry, "shareLeast"));
  const facts = { file: input.file, line: lineOf(dot), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { type }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value - saved) }, { type }),
    gain: gainOn(input, ["issue", "shared", "tensor", "latency"], share),
  };
}

/** The operand in another type: a name is converted, a widening asks for that type. */
function asType(operand: SyntaxNode, type: string): readonly TextEdit[] {
  const widening = conversionIn(operand);
  if (widening !== undefined)
    return [{ start: widening.type.startIndex, end: widening.type.endIndex, text: type }];
  const bare = ["identifier", "call", "attribute", "subscript", "parenthesized_expression"].includes(
    operand.type,
  );
  const end = { start: operand.endIndex, end: operand.endIndex, text: `${bare ? "" : ")"}.to(${type})` };
  return bare ? [end] : [{ start: operand.startIndex, end: operand.startIndex, text: "(" }, end];
}

/** Products of bytes that are widened alone: the tensor cores add them up as whole numbers. */
function bytesProduct(input: RuleInput, entry: RuleEntry, wide: readonly WideDot[]): readonly RuleAnswer[] {
  const edits: TextEdit[] = [];
  for (const { dot, operands, loaded, library } of wide) {
    const [one, ...others] = new Set(loaded);
    if (!byte(one) || others.length > 0) return [];
    const inner = operands.map(conversionIn);
    if (inner.some((each) => each === undefined)) return [];
    for (const [place, operand] of operands.entries())
      edits.push({ start: inner[place]?.of.endIndex ?? 0, end: operand.endIndex, text: "" });
    const carried = keyword(dot, "acc") ?? positional(dot)[2];
    const last = operands.at(-1) ?? dot;
    edits.push({ start: last.endIndex, end: dot.endIndex, text: `).to(${library}.float32)` });
    if (carried !== undefined)
      edits.push({ start: dot.startIndex, end: dot.startIndex, text: `${carried.text} + ` });
  }
  const proposal = proposalOf(input, entry, { dots: wide, edits });
  return isNot(proposal) ? [] : [{ ...proposal, isAlternative: true }];
}
