import { editedTree, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel } from "../kernel";
import { blockNamed, instanceNamed, layerNamed } from "./block";
import {
  aliasesFollowed,
  declaredWhereSet,
  externArrays,
  indicesFollowed,
  indicesWritten,
} from "./declarations";
import {
  boundsTogether,
  countedDo,
  countedDown,
  countedFor,
  countedUp,
  countedWhile,
  onceUnwrapped,
  plainCondition,
  plainZero,
} from "./loops";
import {
  callInlined,
  countsAdded,
  macrosExpanded,
  objectsApart,
  objectsBraced,
  sinesApart,
  statementsInlined,
} from "./calls/index";
import { planed } from "./plane";
import { pointersApart, walksCounted } from "./pointer-walks";
import {
  addressed,
  loadedPlainly,
  parameterMoved,
  pointersFollowed,
  storesWritten,
  subscripted,
} from "./pointers";
import { castsNamed, namedAnew, referencesFollowed, sameNumbers } from "./names/index";
import { piecesApart } from "./shared-pieces";
import { rowsFollowed, sharedRows } from "./shared-rows";
import type { Moved, Spelling } from "./spelling";
import { commaApart, countedBeside, headApart, loadedAgain, steppedFromStart, stepsApart } from "./steps";

/** In the order in which one makes way for the next. */
const spellings: readonly Spelling[] = [
  macrosExpanded,
  aliasesFollowed,
  castsNamed,
  externArrays,
  loadedPlainly,
  subscripted,
  addressed,
  declaredWhereSet,
  pointersApart,
  headApart,
  commaApart,
  parameterMoved,
  walksCounted,
  stepsApart,
  steppedFromStart,
  countedWhile,
  countedDo,
  countedDown,
  countedFor,
  plainZero,
  plainCondition,
  countedBeside,
  boundsTogether,
  loadedAgain,
  sinesApart,
  countsAdded,
  referencesFollowed,
  pointersFollowed,
  rowsFollowed,
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
  return spelled(input, plainStep);
}

/**
 * The same with functions of several statements written out as well, and with structures of the kernel's own
 * taken apart into their members. Undefined where that is no more than the plain spelling.
 */
export function deepSpelling(input: RuleInput, plain: RuleInput | undefined): RuleInput | undefined {
  const deep = spelled(input, deepStep);
  const known = (plain ?? input).tree[input.file];
  return deep?.tree[input.file] === known ? undefined : deep;
}

function spelled(input: RuleInput, nextStep: typeof plainStep): RuleInput | undefined {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const view = cudaKernel(plain);
    const step = isNot(view) ? undefined : (nextStep(view) ?? edited(piecesApart(plain, view)));
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
function plainStep(view: Parameters<Spelling>[0]): Step | undefined {
  return edited(firstOf(view)) ?? callInlined(view) ?? planed(view) ?? edited(indicesWritten(view));
}

function deepStep(view: Parameters<Spelling>[0]): Step | undefined {
  return (
    edited(firstOf(view)) ??
    edited(objectsBraced(view)) ??
    callInlined(view) ??
    statementsInlined(view) ??
    edited(objectsApart(view)) ??
    edited(countedUp(view)) ??
    planed(view) ??
    edited(indicesWritten(view))
  );
}

function edited(edits: ReturnType<Spelling>): Step | undefined {
  return edits && { edits };
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
