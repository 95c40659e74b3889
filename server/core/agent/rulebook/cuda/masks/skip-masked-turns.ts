import { formOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { collapse, compact, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { isBorder } from "./border";
import { isNeverNegativeForm } from "./never-negative";
import { limitText } from "./limit-text";
import { comparisonsIn, type Limit, type LimitedLoop, limitedLoop, limitsOf } from "./limits";
import { maskedTurn } from "./masked-turn";

/**
 * Lets a loop end, or begin, where a mask that belongs to the thread's or the block's own row throws away all
 * that further turns compute: future keys of a causal attention, the zero half of a triangular matrix, keys
 * outside of a window, the padding behind a row's own length.
 */
export const skipMaskedTurns = defineRule("cuda-skip-masked-turns", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = shortenedLoop(view);
  if (isNot(found)) return found;
  const { counted, condition, edits, ends } = found;
  const { instructions: value } = countsOf(input, counted.loop);
  const saved = Math.round(value * threshold(entry, ends === 2 ? "shareOfWindow" : "share"));
  const blanks = { condition: collapse(condition.text) };
  const share = shareSaved(saved, input.counters.totals.instructions);
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { ...blanks, line: lineOf(counted.loop) }),
    evidence: evidenceFor(
      entry,
      {
        ...{ file: input.file, line: lineOf(counted.loop), counter: "instructions" as const },
        ...{ value, ideal: value - saved },
      },
      blanks,
    ),
    gain: gainOn(input, ["issue", "dram", "l2", "l1", "shared", "fp32", "latency"], share),
  };
});

interface Shortened {
  readonly counted: CountedLoop;
  /** What the mask asks. */
  readonly condition: SyntaxNode;
  readonly edits: readonly TextEdit[];
  /** How many ends of the loop the mask moves. */
  readonly ends: number;
}

/** The outermost loop with turns that a mask throws away; a guard's answer where there is none. */
function shortenedLoop(view: KernelView): Shortened | RuleHold {
  const loops = countedLoops(view.body);
  let held: RuleHold | undefined;
  for (const counted of loops) {
    const { step, comparison } = counted;
    if (step.operator !== "+" || !/^<=?$/.test(comparison)) continue;
    const shortened = shortenedBy(limitedLoop(view, counted));
    if (shortened !== undefined && !isNot(shortened)) return shortened;
    held ??= shortened;
  }
  return held ?? not("no-pattern", "no mask throws away whole turns of a loop", view.line);
}

interface Masking {
  readonly limit: Limit;
  readonly condition: SyntaxNode;
}

function shortenedBy(loop: LimitedLoop): Shortened | RuleHold | undefined {
  const { counted } = loop;
  const maskings = comparisonsIn(loop).flatMap((condition) =>
    [true, false]
      .flatMap((holds) => limitsOf(loop, condition, holds))
      .map((limit): Masking => ({ limit, condition })),
  );
  const moving = maskings.filter(({ limit }) => saysMore(loop, limit) && !isBorder(loop, limit));
  let held: RuleHold | undefined;
  const found = (["upper", "lower"] as const).flatMap((side) => {
    for (const masking of moving.filter(({ limit }) => limit.side === side)) {
      const edit = endEdit(loop, masking);
      if (edit !== undefined && !isNot(edit)) return [{ ...masking, edit }];
      held ??= edit;
    }
    return [];
  });
  const [first] = found;
  return first === undefined
    ? held
    : { counted, condition: first.condition, edits: found.map(({ edit }) => edit), ends: found.length };
}

/** True where a limit names something that the loop's own end, or its start, does not follow. */
function saysMore({ counted, view }: LimitedLoop, { side, form }: Limit): boolean {
  const end = side === "upper" ? counted.bound : counted.start;
  const known = new Set(namesIn(end.text));
  for (const name of known) {
    const meaning = view.scope.meaning(name);
    const text = typeof meaning === "object" ? meaning.text : meaning;
    for (const each of text === undefined ? [] : namesIn(text)) known.add(each);
  }
  return [...form.keys()].flatMap(namesIn).some((name) => !known.has(name));
}

function namesIn(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*(?:\.\w+)?/g) ?? [];
}

/** The edit that moves one end of the loop; a guard's answer where turns behind it may be needed. */
function endEdit(loop: LimitedLoop, { limit, condition }: Masking): TextEdit | RuleHold | undefined {
  const turn = maskedTurn(loop, limit);
  if (turn === undefined) return undefined;
  const { counted, view } = loop;
  const { start, bound } = counted;
  const text = limitText(loop, limit);
  if (text === undefined)
    return not("no-rewrite", `the end of the loop cannot be said by ${compact(condition)}`, condition);
  if (limit.side === "lower") return replaceNode(start, text);
  const first = formOf(start, view.scope);
  return turn.usesLowest && !isNeverNegativeForm(loop, limit, first)
    ? not("dependence", `${compact(condition)} may leave a row without any turn`, condition)
    : replaceNode(bound, text);
}
