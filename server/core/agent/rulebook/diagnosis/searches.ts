import { countedLoops, statementsOf } from "../../../language/cuda/body/loops";
import { fieldText, isInside, lineOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { KernelView } from "../cuda/kernel";
import { linearSearches, saysSorted } from "../cuda/searches/linear-search";
import { placeSearches } from "../cuda/searches/place-search";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, fraction, type Measured, pipes, shareOn } from "./measured";
import { countsIn } from "./places";

/** Loops that look at one element after the other for a place in an array that ascends. */
export function searchesByTurns(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals, warps } = measured;
  if (view === undefined) return [];
  const plain = linearSearches(view.model.root).map(({ loop, element, equalTo }) => ({
    ...{ loop, array: element.childForFieldName("argument")?.text ?? element.text },
    // Among elements in no order there is no better way to look for one.
    isAnyOrder: equalTo !== undefined,
  }));
  const others = placeSearches(view.model.root)
    .filter(({ loop }) => !plain.some((each) => each.loop.id === loop.id))
    .map(({ loop, name, meaning }) => ({ loop, array: name, isAnyOrder: meaning.kind !== "around" }));
  const known = [...plain, ...others];
  const paired = pairings(view).filter(({ loop }) => !known.some((each) => each.loop.id === loop.id));
  return [...known, ...paired].flatMap(({ loop, array, isAnyOrder }): readonly Finding[] => {
    const { branches, instructions } = countsIn(measured, loop);
    const isPaired = paired.some((each) => each.loop.id === loop.id);
    const turns = branches / warps;
    if (turns < limitIn(entry, "turns")) return [];
    const left = Math.log2(turns + 1) / turns;
    const part = fraction(instructions * (1 - left), totals.instructions);
    if (isAnyOrder && !isPaired && !saysSorted(view.source, array)) return [];
    const share = shareOn(measured, [...pipes, "latency", "l1"], part);
    return [{ line: lineOf(loop), share, blanks: { array, value: Math.round(turns) } }];
  });
}

interface Pairing {
  readonly loop: SyntaxNode;
  readonly array: string;
  readonly isAnyOrder: boolean;
}

/**
 * Loops that do nothing but look for an element of the loop around them: each of one list is compared with
 * each of another, which sorted lists, a search by halves or a table of those that are there would save.
 */
function pairings(view: KernelView): readonly Pairing[] {
  const loops = countedLoops(view.body);
  return loops.flatMap(({ loop, body, variable }): readonly Pairing[] => {
    const around = loops.find((outer) => outer.loop.id !== loop.id && isInside(loop, outer.body));
    const branch = statementsOf(body).length === 1 ? statementsOf(body)[0] : undefined;
    if (around === undefined || branch?.type !== "if_statement" || branch.childForFieldName("alternative"))
      return [];
    const comparison = comparedIn(branch);
    if (fieldText(comparison, "operator") !== "==") return [];
    const sides = ["left", "right"].flatMap((side) => comparison?.childForFieldName(side) ?? []);
    const [element, ...more] = sides.filter((side) => usesOf(side, variable).length > 0);
    const sought = sides.find((side) => side.id !== element?.id);
    if (element?.type !== "subscript_expression" || more.length > 0 || sought === undefined) return [];
    const isOther = sought.descendantsOfType("identifier").some(({ text }) => {
      const meaning = view.scope.meaning(text);
      return (
        text === around.variable || (typeof meaning === "object" && usesOf(meaning, around.variable).length)
      );
    });
    const array = element.childForFieldName("argument")?.text ?? element.text;
    return isOther ? [{ loop, array, isAnyOrder: true }] : [];
  });
}

function comparedIn(branch: SyntaxNode): SyntaxNode | undefined {
  const condition = branch.childForFieldName("condition");
  return condition?.descendantsOfType("binary_expression")[0];
}
