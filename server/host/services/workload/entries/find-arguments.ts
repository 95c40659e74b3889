import { at, entry } from "../../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import { readableName } from "../../../../core/base/symbols/symbol-name";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import type { ProbedEntry } from "../../../../core/ports/entry-prober";
import type { Elements } from "../../../../core/workload/probe/judge-probe";
import { EntrySession, type PlannedEntryArgument } from "./entry-session";
import { callsWithOffsets } from "./calls-with-offsets";
import { findCalls, type FoundCalls, type SizeText } from "./find-domains";
import { elementsOf, type EntryPlan } from "./plan-entry";
import { sizeNames } from "./planned-symbol";
import type { FoundOffsets } from "../probing/find-offsets";
import {
  idleNames,
  quietOf,
  untouchedBuffers,
  withAskedValues,
  withIdleSizes,
  withQuietOutputs,
} from "./quiet-outputs";

/** Threads in a block where the entry is told how many. */
const usualThreads = [256, 128, 64, 32];

/** Arguments with which an entry runs. */
interface FoundArguments {
  readonly session: EntrySession;
  readonly calls: FoundCalls;
  readonly elements: Elements;
  /** What rows of others were seen to begin where it says. */
  readonly offsets: readonly FoundOffsets[];
  /** A number that is kept at 1, since less is touched with others. */
  readonly bound?: string;
}

type PlainArguments = Pick<FoundArguments, "session" | "calls" | "elements">;

/** What is said of a call that was cut, or whose buffers were too small for it. */
const tooMuchWork = /did not end within the [\d,]+ warp instructions/;
const notLaunched = /\bit did not launch /;
const tooLittleRoom = /(?:behind the end of|before the start of) "/;

/** How many numbers are kept at 1 in turn, to see whether more is touched so. */
const mostBounds = 3;

/**
 * Arguments with which the entry runs. Where it leaves buffers alone, a number that nothing else depends on
 * may be the least of the values that it takes: it is then kept at 1, below what buffers hold.
 */
export async function findArguments(
  probed: ProbedEntry,
  kernel: string,
  { entry, plan }: { readonly entry: EntryFunction; readonly plan: EntryPlan },
): Promise<Outcome<FoundArguments, string>> {
  const first = await findWriting(probed, kernel, { entry, plan });
  if (!first.ok) return first;
  const left = untouchedBuffers(first.value.calls);
  if (left === 0) return first;
  for (const name of idleNames(first.value.calls).slice(0, mostBounds)) {
    const kept = await findWriting(probed, kernel, { entry, plan: withNumber(plan, name, 1) });
    if (kept.ok && untouchedBuffers(kept.value.calls) < left) return succeed({ ...kept.value, bound: name });
  }
  return first;
}

function withNumber(plan: EntryPlan, name: string, value: number): EntryPlan {
  const planned = plan.planned.map((each) =>
    each.kind === "size" && each.name === name
      ? { kind: "value" as const, name, dtype: each.dtype, value }
      : each,
  );
  return { ...plan, planned };
}

/** Arguments with which the entry runs, and calls of it that write as much as they may. */
async function findWriting(
  ...asked: Parameters<typeof findPlainArguments>
): Promise<Outcome<FoundArguments, string>> {
  const [, , { entry }] = asked;
  const found = await findPlainArguments(...asked);
  if (!found.ok) return found;
  const { session, calls, elements } = found.value;
  // With the same number everywhere all rows are empty, and what is written for their elements is not.
  const isQuiet = quietOf(session, calls) > 0;
  const early = isQuiet ? await callsWithOffsets(session, calls, elements) : { calls, offsets: [] };
  const written = await withQuietOutputs(session, early.calls, elements);
  const apart = await withIdleSizes(session, written, elements);
  const last = await withAskedValues(session, apart, { ...entry, elements });
  const led =
    early.offsets.length > 0
      ? { calls: last, offsets: early.offsets }
      : await callsWithOffsets(session, last, elements);
  return succeed({ session, elements, ...led });
}

/** Flags that are turned over, at most: each is a search. */
const mostFlags = 3;

/** A flag may choose another kernel: where the one that is meant is not launched, each is turned over. */
async function findPlainArguments(
  probed: ProbedEntry,
  kernel: string,
  { entry, plan }: { readonly entry: EntryFunction; readonly plan: EntryPlan },
): Promise<Outcome<PlainArguments, string>> {
  const first = await findUnderFlags(probed, kernel, { entry, plan });
  if (first.ok || !notLaunched.test(first.problem)) return first;
  const flags = plan.planned.filter((each) => each.kind === "value" && each.dtype === "bool");
  for (const flag of flags.slice(0, mostFlags)) {
    const planned = plan.planned.map((each) => (each === flag ? turnedOver(each) : each));
    const other = await findUnderFlags(probed, kernel, { entry, plan: { ...plan, planned } });
    if (other.ok) return other;
  }
  return first;
}

function turnedOver(flag: PlannedEntryArgument): PlannedEntryArgument {
  return flag.kind === "value" ? { ...flag, value: flag.value === 0 ? 1 : 0 } : flag;
}

/** Numbers that the entry takes for the threads of a block become usual ones. */
async function findUnderFlags(
  probed: ProbedEntry,
  kernel: string,
  { entry, plan }: { readonly entry: EntryFunction; readonly plan: EntryPlan },
): Promise<Outcome<PlainArguments, string>> {
  const elements = elementsOf([...plan.planned, ...plan.returned]);
  const begin = async (
    planned: EntryPlan["planned"],
    work: "usual" | "fixed" | "vast" = "usual",
  ): Promise<Outcome<PlainArguments, string>> => {
    const session = new EntrySession(probed, kernel, planned, plan.symbols);
    session.allowWork(work);
    session.terms = plan.terms;
    for (const each of entry.parameters) if ("isSingle" in each) session.lengths.set(each.name, 1);
    const calls = await callsWithLengths(session, entry, elements);
    if (calls.ok) return succeed({ session, calls: calls.value, elements });
    if (work === "usual" && tooMuchWork.test(calls.problem)) return begin(planned, "fixed");
    const isTooLarge = tooMuchWork.test(calls.problem) || tooLittleRoom.test(calls.problem);
    return work === "fixed" && isSizeless(session) && isTooLarge ? begin(planned, "vast") : calls;
  };
  const first = await begin(plan.planned);
  if (!first.ok) return first;
  const blocks = blockSizes(first.value.calls, kernel);
  if (blocks.length === 0) return first;
  for (const threads of usualThreads) {
    const pinned = blocks.reduce((sofar, name) => withNumber(sofar, name, threads), plan);
    const again = await begin(pinned.planned);
    if (again.ok) return again;
  }
  return first;
}

/** Whether an entry is passed no size that could make its work less. */
function isSizeless({ planned, symbols }: EntrySession): boolean {
  return planned.every(({ kind }) => kind !== "size") && symbols.length === 0;
}

/**
 * Vectors tell their callees how long they are: lengths are tried. A copy beyond the end of one is told, a
 * loop beyond it is not: of several sizes the most elements come first; of one size, the square of which may
 * be too many, come the fewest.
 */
async function callsWithLengths(
  session: EntrySession,
  entry: EntryFunction,
  elements: Elements,
): Promise<Outcome<FoundCalls, string>> {
  const sizes = sizeNames(session);
  const vectors = entry.parameters.flatMap((each) => (each.kind === "vector" ? each.name : []));
  const text = sizeTextOf(entry);
  if (vectors.length === 0) return findCalls(session, { names: sizes, text, elements });
  const names = sizes.length === 0 ? ["elements"] : sizes;
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => `${one} * ${other}`));
  const tried =
    names.length > 1
      ? combinations(vectors.length, [...new Set([names.join(" * "), ...pairs, ...names])])
      : fewestFirst(vectors.length, at(names, 0));
  let last: Outcome<FoundCalls, string> = fail("no length of its vectors suits it");
  for (const chosen of tried) {
    for (const [index, vector] of vectors.entries()) session.lengths.set(vector, at(chosen, index));
    last = await findCalls(session, { names, text, elements });
    if (last.ok && !hasOnesAlone(last.value)) return last;
  }
  return last;
}

/** With sizes of 1 a row is as good as a square. */
function hasOnesAlone({ probes }: FoundCalls): boolean {
  return probes.settings.every((sizes) => Object.values(sizes).every((value) => value === 1));
}

/** What the entry's text says of its sizes. */
function sizeTextOf({ parameters }: EntryFunction): SizeText {
  const sizes = parameters.filter((each) => each.kind === "size");
  return {
    asked: new Map(sizes.flatMap(({ name, asked }) => (asked === undefined ? [] : [[name, asked]]))),
    compared: new Map(
      sizes.flatMap(({ name, compared }) => (compared === undefined ? [] : [[name, compared]])),
    ),
  };
}

const mostCombinations = 12;

/** Equal lengths first. */
function combinations(count: number, lengths: readonly string[]): readonly (readonly string[])[] {
  const equal = lengths.map((length) => Array.from({ length: count }, () => length));
  const all = Array.from({ length: count }).reduce<readonly (readonly string[])[]>(
    (sofar) => sofar.flatMap((chosen) => lengths.map((length) => [...chosen, length])),
    [[]],
  );
  return [...equal, ...all.filter((each) => new Set(each).size > 1)].slice(0, mostCombinations);
}

/** Rows of so many elements, and square matrices. */
function fewestFirst(count: number, size: string): readonly (readonly string[])[] {
  const square = `${size} * ${size}`;
  const squares = (lengths: readonly string[]): number => lengths.filter((each) => each === square).length;
  return combinations(count, [size, square]).toSorted((one, other) => squares(one) - squares(other));
}

/** Sizes that every launch of the kernel has for its block. */
function blockSizes({ probes, domains }: FoundCalls, kernel: string): readonly string[] {
  return [...domains.keys()].filter((name) =>
    probes.settings.every((sizes, index) => {
      const launches = at(probes.observations, index).launches;
      const own = launches.filter((each) => readableName(each.kernel).name === kernel);
      return (
        own.length > 0 && own.every(({ block: [x, y, z] }) => [x, x * y * z].includes(entry(sizes, name)))
      );
    }),
  );
}
