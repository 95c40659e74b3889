import { editedTree } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel } from "../kernel";
import { blockNamed } from "./block";
import { declaredWhereSet } from "./declarations";
import { countedFor, countedWhile } from "./loops";
import { macrosExpanded } from "./macros";
import { pointersFollowed, subscripted } from "./pointers";
import type { Spelling } from "./spelling";

/** In the order in which one makes way for the next. */
const spellings: readonly Spelling[] = [
  macrosExpanded,
  subscripted,
  declaredWhereSet,
  countedWhile,
  countedFor,
  pointersFollowed,
  blockNamed,
];

/** More places than a kernel has that anyone reads. */
const MOST = 200;

/**
 * The kernel in the plain spelling: loops that say start, end and step in their head, elements as subscripts
 * of the parameters, macros of indices written out. It means the same, and each line stays where its counters
 * are. Undefined where it is plain already.
 */
export function plainSpelling(input: RuleInput): RuleInput | undefined {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const view = cudaKernel(plain);
    if (isNot(view)) break;
    const edits = firstOf(view);
    if (edits === undefined) break;
    plain = { ...plain, tree: editedTree(plain, edits) };
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
