import { isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";

/** `powf(base, 2)`, with its whole exponent. */
interface Power {
  readonly call: SyntaxNode;
  readonly base: SyntaxNode;
  readonly exponent: number;
}

/** Multiplies instead of calling the general power function for a small whole exponent. */
export const expandPower = defineRule("cuda-expand-power", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const most = threshold(entry, "exponentMost");
  const powers = powersOf(view).filter(({ exponent }) => exponent >= 2 && exponent <= most);
  const [first] = powers;
  if (first === undefined)
    return not("no-pattern", "no power has a small whole number as its exponent", view.line);
  const impure = powers.find(({ base }) => !isPure(base));
  if (impure !== undefined)
    return not("dependence", `${compact(impure.base)} would be evaluated again`, impure.base);
  const statement = enclosing(first.call, "expression_statement", "declaration") ?? first.call;
  const { instructions } = countsOf(input, statement);
  if (instructions === 0) return not("no-evidence", "the power was not reached", first.call);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const facts = {
    ...{ file: input.file, line: lineOf(first.call), counter: "instructions" as const },
    ...{ value: instructions, ideal },
  };
  const saved = shareSaved(instructions - ideal, input.counters.totals.instructions);
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      powers
        .filter((power) => !isNested(power, powers))
        .map(({ call, base, exponent }) => replaceNode(call, product(base.text, exponent))),
    ),
    hypothesis: fillSentence(entry.hypothesis, { power: compact(first.call) }),
    evidence: evidenceFor(entry, facts, { power: compact(first.call) }),
    gain: gainOn(input, ["issue", "fp32", "special"], saved),
  };
});

function powersOf(view: KernelView): readonly Power[] {
  return view.body.descendantsOfType("call_expression").flatMap((call) => {
    const name = compact(call.childForFieldName("function")).replace(/^(std)?::/, "");
    const [base, exponent] = partsOf(call.childForFieldName("arguments"));
    if (!/^(powf?|__powf)$/.test(name) || base === undefined || exponent === undefined) return [];
    const value = view.scope.value(unwrapped(exponent)) ?? Number(exponent.text.replace(/f$/i, ""));
    return Number.isInteger(value) ? [{ call, base, exponent: value }] : [];
  });
}

function isNested({ call }: Power, all: readonly Power[]): boolean {
  return all.some((other) => other.call.id !== call.id && isInside(call, other.call));
}

function product(base: string, exponent: number): string {
  const factor = /^[\w.[\]]+$/.test(base) ? base : `(${base})`;
  return `(${Array.from({ length: exponent }, () => factor).join(" * ")})`;
}
