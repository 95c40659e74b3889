import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { estimatedValue, type KernelView } from "../kernel";
import { fillingLoops } from "./filling-counters";
import { insertedEdit, insertionsIn } from "./inserted-element";
import { localArraysMoved } from "./local-arrays";
import { type Picked, pickedEdits, pickedIn } from "./picked-elements";
import { sortAround, sortedEdit, type SortLoop } from "./sorted-lists";
import { unrollEdit, unrolledLoop } from "./unrolled-loops";
import { type WalkedLoop, walkedEdit, walkedLoop } from "./walked-loops";

/**
 * Short lists of each thread (its nearest neighbours, its greatest elements) in registers: indices of run
 * time become comparisons in unrolled loops, so that every access names its element when it is compiled.
 */
export const listsInRegisters = defineRule("cuda-lists-in-registers", (input, entry) =>
  localArraysMoved(input, entry, {
    terms: ["l1", "l2", "issue", "latency"],
    edits: (view, arrays) => inRegisters(view, arrays, entry),
  }),
);

/** What has to change so that each access names its element; what stands in the way. */
interface Places {
  readonly sorted: Map<number, SortLoop>;
  readonly unrolled: Map<number, SyntaxNode>;
  readonly walked: Map<number, WalkedLoop>;
  readonly picked: Picked[];
}

function inRegisters(
  view: KernelView,
  arrays: readonly KernelArray[],
  entry: RuleEntry,
): readonly TextEdit[] | RuleHold {
  const places: Places = { sorted: new Map(), unrolled: new Map(), walked: new Map(), picked: [] };
  let total = 0;
  for (const array of arrays) {
    const size = sizeOf(view, array, threshold(entry, "elementsMost"));
    if (isNot(size)) return size;
    total += size;
    const held = placesOf(view, array, places);
    if (held !== undefined) return held;
  }
  if (total > threshold(entry, "registersMost"))
    return not("limit", `the arrays of a thread have ${total} elements`, view.line);
  const edits = editsFor(view, places);
  return edits.length === 0
    ? not("no-rewrite", "every index of the arrays is known when they are compiled", view.line)
    : edits;
}

function editsFor(view: KernelView, { sorted, unrolled, walked, picked }: Places): readonly TextEdit[] {
  const walks = [...walked.values()];
  const insertions = insertionsIn(view, walks, picked);
  const done = new Set(
    insertions.flatMap(({ walked: { loop }, statements }) => [loop.id, ...statements.map(({ id }) => id)]),
  );
  return [
    ...[...sorted.values()].map((sort) => sortedEdit(view, sort)),
    ...[...unrolled.values()].flatMap((loop) => unrollEdit(view.source, loop) ?? []),
    ...insertions.map((insertion) => insertedEdit(view, insertion)),
    ...walks.filter(({ loop }) => !done.has(loop.id)).map((each) => walkedEdit(view, each)),
    ...pickedEdits(
      view,
      picked.filter(({ statement }) => !done.has(statement.id)),
    ),
  ];
}

/** So many elements; a guard's answer where they cannot be registers. */
function sizeOf(view: KernelView, array: KernelArray, most: number): number | RuleHold {
  const { name, sizes, escape, declaration } = array;
  if (escape !== undefined) return not("aliasing", `${name} is used other than element by element`, escape);
  const [size, ...more] = sizes.map((each) => estimatedValue(view, each));
  if (size === undefined || more.length > 0)
    return not("limit", `${name} is no list of a constant length`, declaration);
  if (size > most) return not("limit", `${name} has ${size} elements`, declaration);
  return size;
}

/** Puts down what each access of an array needs; a guard's answer where there is no way. */
function placesOf(view: KernelView, array: KernelArray, places: Places): RuleHold | undefined {
  for (const { node, indices } of array.accesses) {
    const [index] = indices;
    if (index === undefined || estimatedValue(view, index) !== undefined) continue;
    const sort = sortAround(view, array, node);
    if (sort !== undefined) {
      places.sorted.set(sort.loop.id, sort);
      continue;
    }
    const filling = fillingLoops(view, index);
    if (filling !== undefined) {
      for (const each of filling) places.unrolled.set(each.id, each);
      continue;
    }
    const loop = unrolledLoop(view, index);
    if (loop !== undefined) {
      places.unrolled.set(loop.id, loop);
      continue;
    }
    const walked = walkedLoop(view, array, index);
    if (isNot(walked)) return walked;
    if (walked !== undefined) {
      places.walked.set(walked.loop.id, walked);
      continue;
    }
    const picked = pickedIn(view, array, { node, index });
    if (isNot(picked)) return picked;
    places.picked.push(picked);
  }
  return pickedTogether(places);
}

/** Why the elements that statements pick cannot be picked one statement at a time. */
function pickedTogether(places: Places): RuleHold | undefined {
  const two = places.picked.find((each) =>
    places.picked.some(
      (other) =>
        other.statement.id === each.statement.id &&
        (compact(other.index) !== compact(each.index) || other.size !== each.size),
    ),
  );
  if (two !== undefined)
    return not("no-rewrite", `the statement picks more than ${compact(two.node)}`, two.node);
  const inside = places.picked.find(({ statement }) =>
    [...places.walked.values()].some(
      ({ loop }) => statement.startIndex < loop.endIndex && statement.endIndex > loop.startIndex,
    ),
  );
  return (
    inside && not("no-rewrite", `${compact(inside.node)} stands in a loop that moves elements`, inside.node)
  );
}
