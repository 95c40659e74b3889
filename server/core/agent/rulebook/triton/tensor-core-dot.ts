import { compact, lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../rule-table";
import { loadedType, tileOf } from "./argument-types";
import { keyword, languageCalls, positional, statementOf, tritonKernel, type TritonView } from "./kernel";

const multiplyAddsOfOneInstruction = 16 * 8 * 16;

/**
 * Multiplies half-precision tiles as they are. A product of two 16-bit floats is exact in float32 and tl.dot
 * adds up in float32, so only the order and rounding of the additions may differ from widening first; but
 * only 16-bit tiles reach the tensor cores.
 */
export const tensorCoreDot = defineRule("triton-tensor-core-dot", (input, entry) =>
  forWidenedDots(input, (dot) => {
    const { counts, statement } = dot;
    if (counts.tensorInstructions > 0)
      return not("no-evidence", "the tensor cores do the product already", statement);
    const ideal = Math.max(1, Math.ceil(counts.threadInstructions / multiplyAddsOfOneInstruction));
    return unwidened(input, entry, { dot, ideal });
  }),
);

/**
 * The same where the tensor cores multiply widened tiles, rounded to the 19 bits of TF32, which hold both
 * 16-bit types: an instruction for 16-bit tiles does twice as much, and their tiles are half as large.
 */
export const narrowDot = defineRule("triton-narrow-dot", (input, entry) =>
  forWidenedDots(input, (dot) => {
    const { counts, statement } = dot;
    if (counts.tensorInstructions === 0)
      return not("no-evidence", "the tensor cores do not do the product", statement);
    return unwidened(input, entry, { dot, ideal: Math.ceil(counts.instructions / 2) });
  }),
);

/** A product of tiles that are loaded with 16 bits and widened before, and all that share tiles with it. */
interface WidenedDot {
  readonly dots: readonly SyntaxNode[];
  /** Of the first product. */
  readonly statement: SyntaxNode;
  readonly type: string;
  readonly edits: readonly TextEdit[];
  readonly counts: ReturnType<typeof countsOf>;
}

function forWidenedDots(
  input: RuleInput,
  propose: (dot: WidenedDot) => RuleAnswer,
): RuleAnswer | readonly RuleAnswer[] {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const dots = languageCalls(view, ["dot"]);
  if (dots.length === 0) return not("no-pattern", "the kernel multiplies no matrices", view.line);
  return dots.map((dot) => {
    const together = sharingTiles(view, dots, dot);
    const [first = dot] = together;
    if (first.id !== dot.id)
      return not("no-pattern", `it shares a tile with the product of line ${lineOf(first)}`, dot);
    const found = widenedDots(input, view, together);
    return isNot(found) ? found : propose(found);
  });
}

/** The products that share widened tiles with one, directly or through others, in their order. */
function sharingTiles(view: TritonView, dots: readonly SyntaxNode[], dot: SyntaxNode): readonly SyntaxNode[] {
  const wideningsOf = (each: SyntaxNode): readonly number[] =>
    positional(each).flatMap((tile) => tileOf(view, tile)?.widened?.whole.id ?? []);
  const known = new Set([dot.id]);
  const shared = new Set(wideningsOf(dot));
  for (let before = 0; before < known.size;) {
    before = known.size;
    for (const each of dots.filter(({ id }) => !known.has(id))) {
      const own = wideningsOf(each);
      if (!own.some((widening) => shared.has(widening))) continue;
      known.add(each.id);
      for (const widening of own) shared.add(widening);
    }
  }
  return dots.filter(({ id }) => known.has(id));
}

function widenedDots(input: RuleInput, view: TritonView, dots: readonly SyntaxNode[]): WidenedDot | RuleHold {
  const all: WidenedDot[] = [];
  for (const dot of dots) {
    const found = widenedDot(input, view, dot);
    if (isNot(found)) return found;
    all.push(found);
  }
  const [first, ...others] = all;
  if (first === undefined) return not("no-pattern", "the kernel multiplies no matrices", view.line);
  const other = others.find(({ type }) => type !== first.type);
  if (other) return not("type", `the tiles are ${first.type} and ${other.type}`, other.statement);
  const edits = new Map(all.flatMap((each) => each.edits.map((edit) => [edit.start, edit] as const)));
  const statements = [...new Map(all.map((each) => [each.statement.id, each.counts])).values()];
  const total = (counter: "instructions" | "threadInstructions"): number =>
    statements.reduce((sum, counts) => sum + counts[counter], 0);
  return {
    ...first,
    dots,
    edits: [...edits.values()],
    counts: {
      ...first.counts,
      instructions: total("instructions"),
      threadInstructions: total("threadInstructions"),
    },
  };
}

function widenedDot(input: RuleInput, view: TritonView, dot: SyntaxNode): WidenedDot | RuleHold {
  const [left, right] = positional(dot).map((tile) => tileOf(view, tile));
  const widened = [left, right].flatMap((tile) => tile?.widened ?? []);
  if (left === undefined || right === undefined || widened.length === 0)
    return not("no-pattern", "the product takes tiles that are more than loaded and widened", dot);
  const [type, other] = [left, right].map(({ load }) => loadedType(input, view, load));
  if (type === undefined || type !== other || !["float16", "bfloat16"].includes(type))
    return not("type", "the tiles are not both loaded as float16 or both as bfloat16", dot);
  const result = keyword(dot, "out_dtype");
  if (result !== undefined && compact(result) !== "tl.float32")
    return not("type", `the product is made in ${compact(result)}`, result);
  const edits = widened.map(({ whole, inner }) => ({ start: inner.endIndex, end: whole.endIndex, text: "" }));
  const statement = statementOf(dot);
  return { dots: [dot], statement, type, edits, counts: countsOf(input, statement) };
}

function unwidened(
  input: RuleInput,
  entry: RuleEntry,
  {
    dot: { dots, statement, type, edits, counts },
    ideal,
  }: { readonly dot: WidenedDot; readonly ideal: number },
): RuleAnswer {
  const { instructions: value } = counts;
  if (value < threshold(entry, "instructionsLeast"))
    return not("no-evidence", "the product takes few instructions", statement);
  const counted = shareSaved(value - ideal, input.counters.totals.instructions);
  // Wide tiles also cost conversions, registers and shared memory, on lines of their own.
  const share = Math.max(counted, threshold(entry, "shareLeast"));
  return {
    kind: "proposal",
    tree: editedTree(input, [...edits, ...dots.flatMap(precisionEdit)]),
    hypothesis: fillSentence(entry.hypothesis, { type }),
    evidence: evidenceFor(
      entry,
      { file: input.file, line: lineOf(statement), counter: "instructions", value, ideal },
      { type },
    ),
    gain: gainOn(input, ["issue", "shared", "tensor", "latency"], share),
  };
}

/** True for a product of tiles that are loaded and widened, and changed in no other way. */
export function takesLoadedTiles(input: RuleInput, view: TritonView, dot: SyntaxNode): boolean {
  return !isNot(widenedDot(input, view, dot));
}

/** Takes `input_precision`, which means float32 inputs only, out of the call. */
export function precisionEdit(dot: SyntaxNode): readonly TextEdit[] {
  const precision = keyword(dot, "input_precision")?.parent;
  const before = precision?.previousNamedSibling;
  return precision && before ? [{ start: before.endIndex, end: precision.endIndex, text: "" }] : [];
}
