import { compact, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { languageCalls, tritonKernel, type TritonView } from "../kernel";
import { axesOf, inTurn, ownStatements, ownWork } from "./tiles-in-turn";

/** Functions that take many instructions. */
const costly = /^(?:sin|cos|tan|exp|exp2|log|log2|pow|tanh|erf|atan2?|asin|acos|sinh|cosh)$/;

/**
 * Programs that each compute the same costly values before they use them for their own index, as the sines
 * and cosines of a position for each head: one program computes them once, and takes several indices in turn.
 */
export const valuesInTurn = defineRule("triton-values-in-turn", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [found] = axesOf(view).flatMap((axis) => sharedValues(view, axis) ?? []);
  if (found === undefined)
    return not("no-pattern", "no costly value is the same for all programs along an axis", view.line);
  const { axis, statements, last } = found;
  const value = statements.reduce((sum, each) => sum + countsOf(input, each).instructions, 0);
  const share = shareSaved(value, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "what all programs along the axis compute is little", last);
  const blocks = (input.launches ?? []).reduce((most, each) => Math.max(most, each.blocks), 0);
  if (blocks < threshold(entry, "programsLeast"))
    return not("limit", `${blocks} programs are few already`, last);
  const work = ownWork(view, { axis, shared: last });
  if (work === undefined)
    return not("no-pattern", "nothing behind the costly values differs along the axis", last);
  const each = threshold(entry, "each");
  const kept = 1 / each;
  const facts = { file: input.file, line: lineOf(last), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: Math.round(value * kept) }, { axis });
  const gain = gainOn(input, ["issue", "special", "fp32", "integer", "latency"], share * (1 - kept));
  const edits = inTurn(view, work, each);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, { axis, each });
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** Statements with costly values that programs along an axis have in common. */
interface SharedValues {
  readonly axis: string;
  readonly statements: readonly SyntaxNode[];
  readonly last: SyntaxNode;
}

function sharedValues(view: TritonView, axis: string): SharedValues | undefined {
  const all = partsOf(view.body);
  const own = ownStatements(view, all, axis);
  const stores = languageCalls(view, ["store"]);
  const firstStore = Math.min(...stores.map(({ startIndex }) => startIndex));
  const statements = all.filter(
    (each) => !own.has(each.id) && each.startIndex < firstStore && isCostly(each) && !isReturn(each),
  );
  const last = statements.at(-1);
  return last && { axis, statements, last };
}

function isReturn({ type }: SyntaxNode): boolean {
  return type === "if_statement" || type === "return_statement";
}

function isCostly(statement: SyntaxNode): boolean {
  return statement
    .descendantsOfType("call")
    .some((call) => costly.test(compact(call.childForFieldName("function")).split(".").at(-1) ?? ""));
}
