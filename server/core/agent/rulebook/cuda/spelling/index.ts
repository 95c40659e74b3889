import { editedTree, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel } from "../kernel";
import { blockNamed, instanceNamed, layerNamed } from "./block";
import { declaredWhereSet, externArrays, indicesFollowed, indicesWritten } from "./declarations";
import { boundsTogether, countedFor, countedWhile, onceUnwrapped, plainCondition } from "./loops";
import { callInlined, macrosExpanded } from "./calls/index";
import { namedAnew } from "./named-anew";
import { planed } from "./plane";
import { pointersApart, walksCounted } from "./pointer-walks";
import { addressed, parameterMoved, pointersFollowed, storesWritten, subscripted } from "./pointers";
import { sameNumbers } from "./same-numbers";
import { sharedRows } from "./shared-rows";
import type { Moved, Spelling } from "./spelling";
import { loadedAgain, steppedFromStart, stepsApart } from "./steps";

/** In the order in which one makes way for the next. */
const spellings: readonly Spelling[] = [
  macrosExpanded,
  externArrays,
  subscripted,
  addressed,
  declaredWhereSet,
  pointersApart,
  parameterMoved,
  walksCounted,
  stepsApart,
  steppedFromStart,
  countedWhile,
  countedFor,
  plainCondition,
  boundsTogether,
  loadedAgain,
  pointersFollowed,
  storesWritten,
  blockNamed,
  layerNamed,
  instanceNamed,
  sameNumbers,
  namedAnew,
  sharedRows,
  indicesFollowed,
  onceUnwrapped,
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
    const step = isNot(view) ? undefined : nextStep(view);
    if (isNot(view) || step === undefined) break;
    const counters = countersMoved(plain, step.moved ?? []);
    const facts = step.block === undefined ? plain.facts : blocksNamed(plain, view, step.block);
    plain = { ...plain, tree: editedTree(plain, step.edits), counters, facts };
  }
  return plain === input ? undefined : plain;
}

interface Step {
  readonly edits: readonly TextEdit[];
  readonly moved?: Moved;
  readonly block?: readonly [number, number, number];
}

/** Names of the thread's own places go last: what takes such a name apart is a plane of threads. */
function nextStep(view: Parameters<Spelling>[0]): Step | undefined {
  const edits = firstOf(view);
  if (edits !== undefined) return { edits };
  const written = callInlined(view) ?? planed(view);
  if (written !== undefined) return written;
  const last = indicesWritten(view);
  return last && { edits: last };
}

/** What was compiled and launched, with another block of as many threads. */
function blocksNamed(
  { facts }: RuleInput,
  { kernel }: Parameters<Spelling>[0],
  block: readonly [number, number, number],
): RuleInput["facts"] {
  const name = new RegExp(`(?:^|::)${kernel.facts.name}(?:<|$)`);
  return facts.map((each) => (each.block && name.test(each.kernel) ? { ...each, block } : each));
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
