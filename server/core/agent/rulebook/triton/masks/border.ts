import type { SyntaxNode } from "../../../../language/tree";
import { usesOf } from "../../../../language/query";
import type { TritonView } from "../kernel";
import { comparedIn, namesOfSum, sumOf } from "./forms";
import type { Limit, RangeLoop } from "./limits";

/**
 * True for a mask that only cuts what hangs over an edge, so that hardly a turn is saved: of a place that
 * moves away from the end, and of loops that are no longer where there are more rows.
 */
export function isBorder(range: RangeLoop, { sum }: Limit): boolean {
  const { view, loop, end } = range;
  const numbers = programNumbers(view);
  const isPlace = (key: string): boolean =>
    key.includes("program_id") || key.split("*").some((part) => numbers.has(part));
  const places = [...sum].filter(([key]) => isPlace(key));
  if (places.some(([, times]) => times < 0)) return true;
  if (places.length === 0) return false;
  const own = reachedNames(view, end);
  const ends = view.body.descendantsOfType("comparison_operator").flatMap((node) => {
    const compared = usesOf(node, range.variable).length > 0 ? undefined : comparedIn(node);
    if (compared === undefined) return [];
    const [left, right] = [compared.left, compared.right].map((side) => sumOf(view, loop, side));
    if (left === undefined || right === undefined || followsLoop(range, [left, right])) return [];
    const [one, other] = [left, right].map((side) => [...side.keys()].some(isPlace));
    if (one === other) return [];
    return namesOfSum(one === true ? right : left);
  });
  return ends.length > 0 && !ends.some((name) => own.has(name));
}

function followsLoop({ variable }: RangeLoop, sums: readonly ReadonlyMap<string, number>[]): boolean {
  return sums.some((sum) => [...sum.keys()].some((key) => key.split("*").includes(variable)));
}

/** Names that are made of the number of a program. */
function programNumbers({ body }: TritonView): ReadonlySet<string> {
  const numbers = new Set<string>();
  const acts = body.descendantsOfType("assignment");
  for (let before = -1; before !== numbers.size;) {
    before = numbers.size;
    for (const act of acts) {
      const [name, value] = [act.childForFieldName("left"), act.childForFieldName("right")];
      const loads = value?.text.includes(".load(") === true;
      const follows =
        value?.text.includes("program_id") === true ||
        value?.descendantsOfType("identifier").some(({ text }) => numbers.has(text)) === true;
      if (follows && !loads)
        for (const { text } of name?.descendantsOfType("identifier") ?? []) numbers.add(text);
    }
  }
  return numbers;
}

/** The names of an expression, and of all that they are ever given. */
export function reachedNames({ body }: TritonView, node: SyntaxNode | undefined): ReadonlySet<string> {
  const reached = new Set(node?.descendantsOfType("identifier").map(({ text }) => text));
  for (const name of reached)
    for (const act of body.descendantsOfType("assignment")) {
      const targets = act.childForFieldName("left")?.descendantsOfType("identifier") ?? [];
      if (!targets.some(({ text }) => text === name)) continue;
      for (const { text } of act.childForFieldName("right")?.descendantsOfType("identifier") ?? [])
        reached.add(text);
    }
  return reached;
}
