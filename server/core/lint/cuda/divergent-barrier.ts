import { fieldText, lineOf, rangeOf } from "../../language/query";
import type { LintFinding } from "../lint";
import type { LintedKernel } from "./linted-kernel";

/** Barriers of the whole block under conditions that may differ between its threads. */
export function divergentBarriers({ kernel: { body }, values }: LintedKernel): readonly LintFinding[] {
  return body.descendantsOfType("call_expression").flatMap((call) => {
    const barrier = fieldText(call, "function");
    if (!/^__syncthreads(?:_count|_and|_or)?$/.test(barrier)) return [];
    const condition = values().dividedBy(call);
    if (condition === undefined) return [];
    const blanks = { barrier: `${barrier}()`, line: lineOf(condition) };
    const loops = /^(?:for|while|do)_statement$/.test(condition.parent?.type ?? "");
    return [{ id: loops ? "divergent-barrier-in-loop" : "divergent-barrier", range: rangeOf(call), blanks }];
  });
}
