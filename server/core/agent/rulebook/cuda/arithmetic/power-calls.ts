import { compact, enclosing, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { not, type RuleAnswer, type RuleInput } from "../../rule";
import { fillSentence, type RuleEntry, threshold } from "../../rule-table";

/** `powf(base, exponent)`. */
interface PowerCall {
  readonly call: SyntaxNode;
  /** Of the function, without its namespace. */
  readonly name: string;
  readonly base: SyntaxNode;
  readonly exponent: SyntaxNode;
}

/** Calls of the functions that raise a number to a power, in one function's body. */
export function powerCalls(place: SyntaxNode): readonly PowerCall[] {
  return place.descendantsOfType("call_expression").flatMap((call) => {
    const name = compact(call.childForFieldName("function")).replace(/^(?:std)?::/, "");
    const [base, exponent, ...others] = partsOf(call.childForFieldName("arguments"));
    if (!/^(?:powf?|__powf)$/.test(name) || base === undefined || exponent === undefined) return [];
    return others.length > 0 ? [] : [{ call, name, base, exponent }];
  });
}

/**
 * Writes powers in another way: `written` gives the text, `none` says why there is nothing to write. The
 * evidence is the power that most instructions belong to; of nested ones the outermost are rewritten.
 */
export function rewrittenPowers<Power extends { readonly call: SyntaxNode }>(
  input: RuleInput,
  entry: RuleEntry,
  {
    powers,
    written,
    none,
  }: {
    readonly powers: readonly Power[];
    readonly written: (power: Power) => string;
    readonly none: () => RuleAnswer;
  },
): RuleAnswer {
  const [first] = [...powers].sort((one, other) => instructionsAt(input, other) - instructionsAt(input, one));
  if (first === undefined) return none();
  const instructions = instructionsAt(input, first);
  if (instructions === 0) return not("no-evidence", "the power was not reached", first.call);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const facts = { file: input.file, line: lineOf(first.call), counter: "instructions" as const };
  const saved = shareSaved(instructions - ideal, input.counters.totals.instructions);
  const outermost = powers.filter((power) => !isNested(power, powers));
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      outermost.map((power) => replaceNode(power.call, written(power))),
    ),
    hypothesis: fillSentence(entry.hypothesis, { power: compact(first.call) }),
    evidence: evidenceFor(entry, { ...facts, value: instructions, ideal }, { power: compact(first.call) }),
    gain: gainOn(input, ["issue", "fp32", "special"], saved),
  };
}

function instructionsAt(input: RuleInput, { call }: { readonly call: SyntaxNode }): number {
  const statement =
    enclosing(call, "expression_statement", "declaration", "return_statement", "for_statement") ?? call;
  return countsOf(input, statement).instructions;
}

function isNested(
  { call }: { readonly call: SyntaxNode },
  all: readonly { readonly call: SyntaxNode }[],
): boolean {
  return all.some((other) => other.call.id !== call.id && isInside(call, other.call));
}
