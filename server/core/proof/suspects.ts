import { at, entry, mustGet } from "../base/known";
import type { WitnessSizes } from "../judge/proof";
import { multipleOfAll } from "../workload/cases/smaller-sizes";
import { rewritten } from "./decide/condition";
import {
  constantForm,
  type Form,
  isMultiple,
  minus,
  OutOfReachError,
  substituted,
  symbolsOf,
} from "./decide/form";
import { Prover } from "./follow/state";
import type { LaunchClass } from "./launch-class";
import type { Walked } from "./prove";
import { type AccessAnswer, type Claim, claimOf } from "./questions";

/** Sizes that are looked at, and how many of them are told: each costs a launch. */
const mostLookedAt = 48;
const mostTold = 12;
/** Questions to the decision procedure for one set of sizes. */
const questionsEach = 12;
/** Accesses that are asked about at each set of sizes. */
const mostClaims = 6;
/** Constants of the code near which a size is tried, and the greatest product of several sizes. */
const largestConstant = 8192;
const largestVolume = 2 ** 18;
/** One size alone, and behind what a power of two covers. */
const usual = [1, 2, 3, 5, 7, 9, 17, 31, 33, 65, 127, 129, 257, 513, 1025];

/**
 * Sizes at which a kernel may do what was not shown never to happen, the least first: such as are multiples
 * of what all listed sizes are multiples of, then any. Those at which it is shown not to happen are left out.
 * Whether it does is for a launch to tell.
 */
export function suspectSizes(
  walked: Walked,
  { spec }: LaunchClass,
  { answers, isRaceOpen }: { readonly answers: readonly AccessAnswer[]; readonly isRaceOpen: boolean },
): readonly WitnessSizes[] {
  const visible = spec.shapes.filter(({ heldOut, recorded }) => heldOut !== true && recorded === undefined);
  const listed = visible.map(({ sizes }) => sizes);
  const open = answers.filter(({ why, isFollowed }) => why !== undefined && isFollowed);
  const claims = open.flatMap((answer) => claimOf(walked, answer) ?? []).slice(0, mostClaims);
  if ((claims.length === 0 && !isRaceOpen) || Object.keys(listed[0] ?? {}).length === 0) return [];
  const candidates = candidatesOf(listed, constantsOf(walked));
  const isSuspect = (sizes: WitnessSizes): boolean =>
    isRaceOpen || claims.some((claim) => !holdsAt(walked, claim, sizes));
  return candidates.flatMap((group) => spread(spread(group, mostLookedAt).filter(isSuspect), mostTold));
}

/** Some of many, from the first to the last. */
function spread(all: readonly WitnessSizes[], most: number): readonly WitnessSizes[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, index) =>
    at(all, Math.round((index * (all.length - 1)) / (most - 1))),
  );
}

/** Whether a claim is shown to hold at some sizes. */
function holdsAt({ machine, surroundings }: Walked, claim: Claim, sizes: WitnessSizes): boolean {
  const replacements = new Map<number, Form>();
  for (const [name, form] of surroundings.sizes) {
    const value = sizes[name];
    if (value === undefined) continue;
    for (const symbol of symbolsOf(form)) replacements.set(symbol, constantForm(value));
  }
  const fix = (form: Form): Form => substituted(form, replacements);
  try {
    const { symbols } = machine;
    const fixed = { facts: symbols.facts.map(fix), isNonNegative: symbols.isNonNegative };
    const prover = new Prover(fixed, questionsEach);
    const { facts, choices } = claim.state;
    const state = { facts: facts.map(fix), choices: choices.map((choice) => rewritten(choice, fix)) };
    const holds = (form: Form): boolean => prover.holds(state, form);
    if (claim.kind === "not-negative") return claim.forms.map(fix).every(holds);
    const offset = fix(claim.form);
    // Of a place that nobody comes to all is shown, the contrary as well.
    const isNeverReached = holds(offset) && holds(minus(constantForm(-1), offset));
    return isMultiple(offset, claim.of) || isNeverReached;
  } catch (thrown) {
    if (thrown instanceof OutOfReachError) return false;
    throw thrown;
  }
}

/** Whole numbers that stand in the code: extents of arrays, tiles and the like in elements or bytes. */
function constantsOf({ walk: { blocks } }: Walked): readonly number[] {
  const found = new Set<number>();
  for (const { instructions } of blocks)
    for (const { operands } of instructions)
      for (const operand of operands) {
        if (operand.kind !== "integer") continue;
        const value = Number(operand.value);
        if (value > 1 && value <= largestConstant) found.add(value);
      }
  return [...found];
}

/**
 * Sizes to be looked at: in steps of the listed ones, then others; in each group those first in which no size
 * of several is 1, where rows and columns do not matter yet, then by what they cost.
 */
function candidatesOf(
  listed: readonly WitnessSizes[],
  constants: readonly number[],
): readonly (readonly WitnessSizes[])[] {
  const [first = {}] = listed;
  const names = Object.keys(first);
  const valuesOf = (name: string): readonly number[] => listed.map((sizes) => entry(sizes, name));
  const steps = new Map(names.map((name) => [name, multipleOfAll(valuesOf(name))]));
  const near = new Set([...usual, ...constants.flatMap((value) => [value - 1, value, value + 1])]);
  const inSteps = new Map<string, WitnessSizes>();
  const others = new Map<string, WitnessSizes>();
  const add = (sizes: WitnessSizes): void => {
    if (names.length > 1 && volumeOf(sizes) > largestVolume) return;
    const isInSteps = names.every((name) => entry(sizes, name) % mustGet(steps, name) === 0);
    (isInSteps ? inSteps : others).set(JSON.stringify(sizes), sizes);
  };
  const least = Object.fromEntries(names.map((name) => [name, Math.min(...valuesOf(name))]));
  const tiny = Object.fromEntries(names.map((name) => [name, 1]));
  for (const value of near) {
    const all = (times: (name: string) => number): WitnessSizes =>
      Object.fromEntries(names.map((name) => [name, value * times(name)]));
    add(all(() => 1));
    add(all((name) => mustGet(steps, name)));
    for (const name of names)
      for (const base of [least, tiny])
        for (const times of new Set([1, mustGet(steps, name)])) add({ ...base, [name]: value * times });
  }
  return [inSteps, others].map((group) => [...group.values()].sort((a, b) => costOf(a) - costOf(b)));
}

function costOf(sizes: WitnessSizes): number {
  const values = Object.values(sizes);
  const isFlat = values.length > 1 && values.includes(1);
  return volumeOf(sizes) + (isFlat ? largestConstant ** values.length : 0);
}

function volumeOf(sizes: WitnessSizes): number {
  return Object.values(sizes).reduce((product, size) => product * size, 1);
}
