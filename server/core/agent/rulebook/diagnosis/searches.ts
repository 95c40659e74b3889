import { lineOf } from "../../../language/query";
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
  return [...plain, ...others].flatMap(({ loop, array, isAnyOrder }): readonly Finding[] => {
    const { branches, instructions } = countsIn(measured, loop);
    const turns = branches / warps;
    if (turns < limitIn(entry, "turns")) return [];
    const left = Math.log2(turns + 1) / turns;
    const part = fraction(instructions * (1 - left), totals.instructions);
    if (isAnyOrder && !saysSorted(view.source, array)) return [];
    const share = shareOn(measured, [...pipes, "latency", "l1"], part);
    return [{ line: lineOf(loop), share, blanks: { array, value: Math.round(turns) } }];
  });
}
