import { lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { isNot, not, type Rule, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry } from "../rule-table";
import { cudaKernel, type KernelView } from "./kernel";

/** A waste that a rule names where it has no rewrite. */
interface Named {
  readonly at: SyntaxNode;
  /** What was counted, for the sentence of the rule. */
  readonly value: number;
  readonly ideal?: number;
  /** Fraction of the modelled bound. */
  readonly gain: number;
}

/** A rule for CUDA kernels that names a waste and proposes nothing. */
export function namingRule(
  id: string,
  find: (input: RuleInput, view: KernelView, entry: RuleEntry) => Named | RuleHold,
): Rule {
  return defineRule(id, (input, entry) => {
    const view = cudaKernel(input);
    if (isNot(view)) return view;
    const found = find(input, view, entry);
    return isNot(found) ? found : namedBy(entry, found);
  });
}

/** The answer of a rule that has no rewrite: what it saw, and what that costs. */
export function namedBy(entry: RuleEntry, { at, value, ideal = 0, gain }: Named): RuleHold {
  const sentence = fillSentence(entry.sentence, { line: lineOf(at), value, ideal });
  return { ...not("no-rewrite", sentence, at), gain };
}
