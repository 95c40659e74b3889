import { coefficient, type Form, formOf, formText } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { fallenText, fallsByOne, grouped, hiddenSign } from "./falling-remainder";
import { isNeverNegative, unsignedIn } from "./sign";

/** `(i + k) % n` in a loop that counts k by one. */
interface Cyclic {
  readonly loop: CountedLoop;
  readonly node: SyntaxNode;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
  /** By how much the dividend grows in a turn. */
  readonly growth: string;
  /** True where it is less by one instead. */
  readonly falls: boolean;
}

/**
 * Carries a remainder from one turn to the next: as much more as the dividend grows in a turn, less the
 * divisor where that is reached, or one less where the dividend falls by one. Where the first number may be
 * negative the remainder is taken as before.
 */
export const carryRemainder = defineRule("cuda-carry-remainder", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loops = countedLoops(view.body);
  const remainders = view.body
    .descendantsOfType("binary_expression")
    .filter((node) => fieldText(node, "operator") === "%");
  const read = remainders.flatMap((node) => cyclicIn(view, loops, node) ?? []);
  const cyclic = read.flatMap((each) => (isNot(each) ? [] : [each]));
  const [first] = cyclic;
  if (first === undefined) {
    const [held] = read.flatMap((each) => (isNot(each) ? [each] : []));
    return held ?? not("no-pattern", "no loop takes the remainder of its own variable", view.line);
  }
  const { instructions } = countsOf(input, first.loop.loop);
  const share = instructions / Math.max(1, input.counters.totals.instructions);
  const edits = carried(view, cyclic);
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { remainder: compact(first.node) }),
    evidence: evidenceFor(
      entry,
      {
        ...{ file: input.file, line: lineOf(first.node), counter: "instructions" as const },
        ...{ value: instructions, ideal: Math.round(instructions * (1 - threshold(entry, "share"))) },
      },
      { remainder: compact(first.node) },
    ),
    gain: gainOn(input, ["issue", "integer"], share * threshold(entry, "share")),
  };
});

/** A remainder of a sum with a loop's variable; a guard's answer where it may not be carried. */
function cyclicIn(
  view: KernelView,
  loops: readonly CountedLoop[],
  node: SyntaxNode,
): Cyclic | RuleHold | undefined {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (left === null || right === null || view.scope.value(right) !== undefined) return undefined;
  const form = formOf(left, view.scope);
  // The innermost loop whose variable the dividend grows with.
  const loop = loops
    .filter(({ body }) => isInside(node, body))
    .findLast(({ variable }) => reads(form, variable));
  if (loop === undefined) return undefined;
  const { variable, step } = loop;
  const times = coefficient(form, variable);
  const falls = fallsByOne(form, loop);
  if (!falls && (times < 1 || !Number.isInteger(times) || step.operator !== "+"))
    return not("no-rewrite", `${compact(left)} does not grow with ${variable}`, node);
  const rest = new Map([...form].filter(([key]) => key !== variable));
  if (reads(rest, variable)) return not("no-rewrite", `${compact(left)} is no sum with ${variable}`, node);
  const place = { loop, node, left, right, growth: falls ? "1" : growthOf(loop, times), falls };
  return unsteady(place) ?? (falls ? hiddenSign(view, place) : mayWrap(view, place)) ?? place;
}

/** What may change in a turn beside the loop's variable. */
function unsteady({ loop, node, left, right, falls }: Cyclic): RuleHold | undefined {
  const { variable, start, step, bound } = loop;
  const amount = step.amount === undefined ? [] : [step.amount];
  const parts = [left, right, start, ...amount, ...(falls ? [bound] : [])];
  if (!parts.every(isPure)) return not("no-rewrite", `${compact(node)} is no plain sum`, node);
  const changing = changedIn(loop);
  if (changing.has(variable)) return not("dependence", `${variable} is changed in the loop`, loop.loop);
  const names = parts.flatMap((part) => part.descendantsOfType("identifier"));
  const moved = names.find(({ text }) => text !== variable && changing.has(text));
  if (moved !== undefined) return not("dependence", `${moved.text} changes in the loop`, moved);
  const read = parts.find((part) => part.descendantsOfType("subscript_expression").length > 0);
  return read && not("dependence", `${compact(read)} reads memory`, read);
}

/** What may make the sum begin at zero again, or fall. */
function mayWrap(view: KernelView, { loop, left, right, growth }: Cyclic): RuleHold | undefined {
  const part = unsignedIn(view, left) ?? unsignedIn(view, right);
  if (part !== undefined && !isNeverNegative(view, left, loop))
    return not("type", `${part.text} is not seen to be signed, and ${compact(left)} may wrap around`, part);
  const { amount } = loop.step;
  const falls = growth !== "1" && amount !== undefined && !isNeverNegative(view, amount, loop);
  return falls ? not("dependence", `${loop.variable} may not grow`, loop.update) : undefined;
}

/** By how much the dividend grows in a turn, as text. */
function growthOf({ step: { amount } }: CountedLoop, times: number): string {
  const by = amount === undefined ? "1" : grouped(amount);
  if (times === 1) return by;
  return by === "1" ? String(times) : `${times} * ${by}`;
}

function reads(form: Form, name: string): boolean {
  return [...form.keys()].some((key) => new RegExp(`\\b${name}\\b`).test(key));
}

/** Names that are declared or changed in the body of a loop. */
function changedIn({ body }: CountedLoop): ReadonlySet<string> {
  return new Set([
    ...localValues(body).map(({ name }) => name),
    ...changes(body).map(({ target }) => target.text),
  ]);
}

function carried(view: KernelView, cyclic: readonly Cyclic[]): readonly TextEdit[] {
  const key = ({ loop, left, right }: Cyclic): string =>
    [loop.loop.id, formText(formOf(left, view.scope)), compact(right)].join();
  const groups = [...new Map(cyclic.map((each) => [key(each), each])).entries()];
  let taken = view.source;
  const named = groups.map(([group, place]) => {
    const name = freshName(taken, `${place.loop.variable}Rest`);
    const by = freshName(taken, `${place.loop.variable}Step`);
    taken += ` ${name} ${by} `;
    return {
      ...place,
      name,
      by,
      nodes: cyclic.filter((each) => key(each) === group).map(({ node }) => node),
    };
  });
  const heads = new Map(named.map(({ loop }) => [loop.loop.id, loop]));
  return [
    ...named.flatMap(({ name, nodes }) => nodes.map((node) => replaceNode(node, name))),
    ...[...heads.values()].flatMap((loop) =>
      headEdits(
        view,
        loop,
        named.filter((each) => each.loop.loop.id === loop.loop.id),
      ),
    ),
  ];
}

/** With the names of the remainder, and of what is added to it where that is not one. */
type Named = Cyclic & { readonly name: string; readonly by: string };

/** `int k = 0, kRest = (i + 0) % n` and `++k, kRest = kRest + 1 == n ? 0 : kRest + 1`. */
function headEdits(view: KernelView, loop: CountedLoop, named: readonly Named[]): readonly TextEdit[] {
  const begun = named.map(({ name, by, left, right, growth, falls }) => {
    const size = grouped(right);
    // The variable itself has its type, by which the sign of the dividend is told.
    if (falls) return `, ${name} = ${grouped(left)} % ${size}`;
    const more = growth === "1" ? "" : `, ${by} = ${growth} % ${size}`;
    return `, ${name} = ${startText(loop, left)} % ${size}${more}`;
  });
  const next = named.map((each) => `, ${each.name} = ${nextText(view, each)}`);
  const { start, update } = loop;
  return [
    { start: start.endIndex, end: start.endIndex, text: begun.join("") },
    { start: update.endIndex, end: update.endIndex, text: next.join("") },
  ];
}

function nextText(view: KernelView, place: Named): string {
  const { name, by, left, right, loop, growth, falls } = place;
  if (falls) return fallenText(view, { ...place, first: startText(loop, left) });
  const size = grouped(right);
  const sum = `${name} + ${growth === "1" ? "1" : by}`;
  const wrapped = growth === "1" ? "0" : `${sum} - ${size}`;
  const next = `${sum} ${growth === "1" ? "==" : ">="} ${size} ? ${wrapped} : ${sum}`;
  if (isNeverNegative(view, left, loop)) return next;
  return `${startText(loop, left)} < 0 ? ${grouped(left)} % ${size} : ${next}`;
}

/** The dividend of the first turn. */
function startText({ variable, start }: CountedLoop, left: SyntaxNode): string {
  let text = left.text;
  const uses = [...usesOf(left, variable)].reverse();
  for (const use of uses) {
    const from = use.startIndex - left.startIndex;
    text = text.slice(0, from) + grouped(start) + text.slice(from + variable.length);
  }
  const line = text.replace(/\s*\n\s*/g, " ");
  return left.type === "parenthesized_expression" ? line : `(${line})`;
}
