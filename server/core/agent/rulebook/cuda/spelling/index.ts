import { editedTree } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel } from "../kernel";
import { blockNamed, layerNamed } from "./block";
import { declaredWhereSet } from "./declarations";
import { helperInlined } from "./helpers";
import { countedFor, countedWhile, plainCondition } from "./loops";
import { macrosExpanded } from "./macros";
import { pointersApart, walksCounted } from "./pointer-walks";
import { parameterMoved, pointersFollowed, subscripted } from "./pointers";
import type { Moved, Spelling } from "./spelling";
import { steppedFromStart, stepsApart } from "./steps";

/** In the order in which one makes way for the next. */
const spellings: readonly Spelling[] = [
  macrosExpanded,
  subscripted,
  declaredWhereSet,
  pointersApart,
  parameterMoved,
  walksCounted,
  stepsApart,
  steppedFromStart,
  countedWhile,
  countedFor,
  plainCondition,
  pointersFollowed,
  blockNamed,
  layerNamed,
];

/** More places than a kernel has that anyone reads. */
const MOST = 200;

/**
 * The kernel in the plain spelling: loops that say start, end and step in their head, elements as subscripts
 * of the parameters, macros and small functions written out. It means the same, and each line stays where its
 * counters are; those of a function that is written out come to the line of its call. Undefined where it is
 * plain already.
 */
export function plainSpelling(input: RuleInput): RuleInput | undefined {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const view = cudaKernel(plain);
    if (isNot(view)) break;
    const edits = firstOf(view);
    const inlined = edits === undefined ? helperInlined(view) : undefined;
    const made = edits ?? inlined?.edits;
    if (made === undefined) break;
    plain = { ...plain, tree: editedTree(plain, made), counters: countersMoved(plain, inlined?.moved ?? []) };
  }
  return plain === input ? undefined : plain;
}

function firstOf(view: Parameters<Spelling>[0]): ReturnType<Spelling> {
  for (const spelling of spellings) {
    const edits = spelling(view);
    if (edits !== undefined) return edits;
  }
  return undefined;
}

function countersMoved({ counters, file }: RuleInput, moved: Moved): RuleInput["counters"] {
  if (moved.length === 0) return counters;
  const lines = counters.lines.map((entry) => {
    const place = moved.find(
      ({ first, last }) => entry.file === file && entry.line >= first && entry.line <= last,
    );
    return place === undefined ? entry : { ...entry, line: place.to };
  });
  return { ...counters, lines };
}
