import { collapse, compact, lineOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { isBorder, reachedNames } from "./border";
import { addedTo, constantSum, namesOfSum, type Sum, sumText } from "./forms";
import {
  comparisonsIn,
  hasFirstTurn,
  isWithin,
  type Limit,
  limitOf,
  type RangeLoop,
  rangeLoops,
} from "./limits";
import { maskedTurn } from "./masked-turn";

/**
 * Lets a loop end, or begin, where a mask that belongs to the program's own rows throws away all that further
 * turns compute: blocks of future keys in causal attention, blocks outside of a window.
 */
export const skipMaskedBlocks = defineRule("triton-skip-masked-turns", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = shortenedLoop(view);
  if (isNot(found)) return found;
  const { loop, condition, edits } = found;
  const { instructions: value } = countsOf(input, loop);
  const saved = Math.round(value * threshold(entry, edits.length > 1 ? "shareOfWindow" : "share"));
  const blanks = { condition: collapse(condition.text) };
  const facts = { file: input.file, line: lineOf(loop), counter: "instructions" as const };
  const share = shareSaved(saved, input.counters.totals.instructions);
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { ...blanks, line: lineOf(loop) }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: value - saved }, blanks),
    gain: gainOn(input, ["issue", "dram", "l2", "l1", "shared", "fp32", "tensor", "latency"], share),
  };
});

interface Shortened {
  readonly loop: SyntaxNode;
  readonly condition: SyntaxNode;
  readonly edits: readonly TextEdit[];
}

function shortenedLoop(view: TritonView): Shortened | RuleHold {
  let held: RuleHold | undefined;
  for (const range of rangeLoops(view)) {
    const found = (["upper", "lower"] as const).flatMap((side) => {
      const moved = movedEnd(range, side);
      if (moved !== undefined && isNot(moved)) held ??= moved;
      return moved === undefined || isNot(moved) ? [] : [moved];
    });
    const [first] = found;
    if (first !== undefined)
      return { loop: range.loop, condition: first.condition, edits: found.map(({ edit }) => edit) };
  }
  return held ?? not("no-pattern", "no mask throws away whole turns of a loop", view.line);
}

interface Moved {
  readonly condition: SyntaxNode;
  readonly edit: TextEdit;
}

/** The first limit on one side of the loop that nothing is missed behind. */
function movedEnd(range: RangeLoop, side: Limit["side"]): Moved | RuleHold | undefined {
  let held: RuleHold | undefined;
  for (const { comparison, limit } of limitsIn(range, side)) {
    if (!saysMore(range, limit) || isBorder(range, limit)) continue;
    const turn = maskedTurn(range, limit);
    if (turn === undefined) continue;
    const text = side === "upper" ? endText(range, limit) : startText(range, limit);
    if (text !== undefined && (side === "lower" || !turn.usesLowest || hasFirstTurn(range, limit)))
      return { condition: comparison, edit: text };
    held ??= not("dependence", `${compact(comparison)} may leave a row without any turn`, comparison);
  }
  return held;
}

/** The limits of comparisons in the loop, and in what the names of masks stand for. */
function limitsIn(
  range: RangeLoop,
  side: Limit["side"],
): readonly { readonly comparison: SyntaxNode; readonly limit: Limit }[] {
  const found: { comparison: SyntaxNode; limit: Limit }[] = [];
  for (const comparison of comparisonsIn(range))
    for (const holds of [true, false]) {
      const limit = limitOf(range, unwrapped(comparison), holds);
      const known = limit !== undefined && found.some((each) => isWithin(each.limit, limit));
      if (limit?.side === side && !known) found.push({ comparison, limit });
    }
  return found;
}

/** True where a limit names something that the loop's own end, or its start, does not follow. */
function saysMore({ view, start, end }: RangeLoop, { side, sum }: Limit): boolean {
  const known = reachedNames(view, side === "upper" ? end : start);
  return namesOfSum(sum).some((name) => !known.has(name));
}

/** The quotient of a sum by a constant, as text: whole parts are taken out. */
function quotientText(sum: Sum, scale: string, more: number): string {
  const parts = [...sum].filter(([key]) => key !== "");
  const rest = sum.get("") ?? 0;
  const whole = parts.every(([key]) => key.split("*").includes(scale));
  if (!whole || rest > 0 || rest < -1) {
    const quotient = `(${sumText(sum)}) // ${scale}`;
    return more === 0 ? quotient : `${quotient} + ${more}`;
  }
  const divided = parts.map(([key, times]): readonly [string, number] => {
    const factors = key.split("*");
    factors.splice(factors.indexOf(scale), 1);
    return [factors.join("*"), times];
  });
  return sumText(addedTo(new Map(divided), constantSum(rest + more)));
}

/** `tl.minimum(n, (block + 1) * BLOCK)`. */
function endText({ view, end }: RangeLoop, { sum, scale }: Limit): TextEdit {
  const last = scale === "1" ? sumText(addedTo(sum, constantSum(1))) : quotientText(sum, scale, 1);
  return {
    start: end.startIndex,
    end: end.endIndex,
    text: `${libraryOf(view)}minimum(${end.text}, ${last})`,
  };
}

/** `tl.maximum(0, row - window) // BLOCK * BLOCK`, at a turn that the loop comes by. */
function startText({ view, start, end, step }: RangeLoop, { sum, scale }: Limit): TextEdit | undefined {
  const library = libraryOf(view);
  if (start !== undefined && start.text !== "0") return undefined;
  if (step !== undefined && step.type !== "identifier" && step.type !== "integer") return undefined;
  const first = scale === "1" ? sumText(sum) : `(${sumText(sum)}) // ${scale}`;
  const by = step === undefined || step.text === "1" ? "" : ` // ${step.text} * ${step.text}`;
  const text = `${library}maximum(0, ${first})${by}`;
  return start === undefined
    ? { start: end.startIndex, end: end.startIndex, text: `${text}, ` }
    : { start: start.startIndex, end: start.endIndex, text };
}
