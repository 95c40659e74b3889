import { at } from "../../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import {
  beforePenalty,
  type Elements,
  endsOf,
  fitBuffers,
  type FittedBuffer,
  unfitPenalty,
} from "../../../../core/workload/probe/judge-probe";
import { withKnownCount } from "../../../../core/workload/probe/known-count";
import type { ProbeObservation } from "../../../../core/workload/probe/observation";
import { type Setting, type SettingOptions, settled } from "../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import { goodFit, type TriedLaunch } from "./find-grid";
import { findLabels, findLeading, findValues } from "./extents/find-values";
import { firstPlace, rangesOf } from "./find-indices";
import { coveredBy } from "./grid-search";
import { type ExploredFacts, findLaunch } from "./find-launch";
import { findOffsets } from "./find-offsets";
import { countedBuffers, gridOf, type ProbeSession } from "./probe-session";
import type { ProbeResult } from "./spec/probe-result";

/** What probes have told of a kernel's launch and of what its buffers hold. */
type Explored = Pick<ProbeResult, "launch" | "offsets" | "indices" | "searches">;

/** How many parameters of whole numbers are tried as something other than a size. */
const mostFixed = 2;
/** Pairs and vectors leave out fewer elements at the end than one of them has. */
const mostLeftOut = 3;

/**
 * Explores a kernel; where no launch explains what it touches, one of its last whole numbers may be a phase
 * or a mode and no size: it is then kept at 1. Those that say how many blocks there are come last: of
 * launches that explain nothing any may come nearest.
 */
export async function exploreKernel(
  session: ProbeSession,
  facts: ExploredFacts,
  elements: Elements,
): Promise<Outcome<Explored, string>> {
  const first = await explore(session, facts, elements);
  if (first.ok && first.value.launch.misfit < goodFit) return first;
  const { planned, layout } = session;
  const grid = first.ok ? first.value.launch.grid.join(" ") : "";
  const sizes = planned.flatMap((each) => (each.kind === "size" ? each.name : [])).reverse();
  const saysBlocks = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(grid);
  const sorted = [...sizes.filter((name) => !saysBlocks(name)), ...sizes.filter(saysBlocks)];
  // Without any size nothing says how much is written.
  const tried = sizes.length === 1 ? [] : sorted.slice(0, mostFixed);
  for (const name of tried) {
    session.renew();
    session.fix(name, 1);
    const fixed = await explore(session, facts, elements);
    if (fixed.ok && fixed.value.launch.misfit < goodFit && writesBySize(fixed.value)) return fixed;
    session.arrange(planned, layout);
  }
  session.contents.clear();
  return first;
}

/**
 * The launch after a probe with sizes that no extent was fitted to. An extent that does not hold there fitted
 * by chance: none is known. One that holds but for the last elements is that of whole pairs or vectors.
 */
async function confirm(
  session: ProbeSession,
  launch: TriedLaunch,
  { elements, parts = new Map() }: { readonly elements: Elements; readonly parts?: SettingOptions["parts"] },
): Promise<TriedLaunch> {
  const [first = {}, second, third = {}] = launch.probes.settings;
  // A launch that faulted under the first setting has no other one.
  if (second === undefined) return launch;
  const isTurn = (name: string): boolean => (parts.get(name)?.rest ?? 0) < 0;
  const sums = Object.fromEntries(
    Object.entries(second).map(([name, value]) => [name, isTurn(name) ? value : value + (third[name] ?? 0)]),
  );
  const sizes = settled(session, sums);
  const seen = launch.isInText ? undefined : await session.once(launch.planned, sizes);
  if (seen?.ok !== true || seen.value.faults.length > 0) return launch;
  const probes = { settings: [first, sizes], observations: [at(launch.probes.observations, 0), seen.value] };
  /** How many elements of the extent were left out; 0 where it says more than was ever touched. */
  const leftOut = ({ name, extent }: FittedBuffer): number => {
    const [before, now] = probes.settings.map((each) => evaluateSizeExpression(extent ?? 0, each));
    if (extent === undefined || before?.ok !== true || now?.ok !== true) return 0;
    const [endBefore = 0, end = 0] = endsOf(probes, name, elements);
    return before.value === endBefore ? now.value - end : Math.min(0, now.value - end);
  };
  const chances = launch.buffers.filter((each) => leftOut(each) < 0 || leftOut(each) > mostLeftOut);
  const refitted = chances.length === 0 ? [] : refit(launch, { sizes, observation: seen.value }, elements);
  const buffers = launch.buffers.map((each) => {
    if (chances.includes(each))
      return (
        refitted.find(({ name }) => name === each.name) ?? { ...each, extent: undefined, overrun: undefined }
      );
    return leftOut(each) > 0 && each.isWritten ? { ...each, isPartial: true } : each;
  });
  const unknown = chances.filter(({ name }) => refitted.every((each) => each.name !== name));
  return { ...launch, buffers, misfit: launch.misfit + unfitPenalty * unknown.length };
}

/** The buffers whose extents an expression gives for one more probe, too: all sizes may have been odd. */
function refit(
  { probes, block }: TriedLaunch,
  { sizes, observation }: { readonly sizes: Setting; readonly observation: ProbeObservation },
  elements: Elements,
): readonly FittedBuffer[] {
  const all = {
    settings: [...probes.settings, sizes],
    observations: [...probes.observations, observation],
  };
  return fitBuffers(all, elements, { divide: [block[0]] }).filter(({ extent }) => extent !== undefined);
}

/** Whether how much is written depends on a size at all. */
function writesBySize({ launch }: Explored): boolean {
  return launch.buffers.some(({ isWritten, extent }) => isWritten && typeof extent === "string");
}

/** Finds the launch, and then which values lead where. */
async function explore(
  session: ProbeSession,
  facts: ExploredFacts,
  elements: Elements,
): Promise<Outcome<Explored, string>> {
  session.contents.clear();
  const found = await findLaunch(session, facts, elements);
  if (!found.ok) return found;
  session.renew();
  const { parts } = facts.text ?? {};
  const confirmed = await confirm(session, found.value, { elements, ...(parts && { parts }) });
  const { planned, probes, block } = confirmed;
  const reprobe = {
    contents: session.contents,
    again: () => session.series(planned, probes.settings),
  };
  const { seen, offsets } = await findOffsets(reprobe, confirmed, {
    elements,
    divide: coveredBy(facts.text ?? {}, block),
    threads: threadsOf(confirmed),
  });
  const launch = { ...confirmed, ...seen };
  const idle = idleOf(session, launch);
  const partial = await leftOutWith(session, launch, idle);
  const counted = countedBuffers(session);
  // What a count holds is a size under every setting, whatever else is said here.
  for (const name of counted) session.contents.set(name, { kind: "constant", value: 1 });
  const sizes = session.planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  const once = (setting: Setting): ReturnType<typeof faultless> => faultless(session, planned, setting);
  const trials = { contents: session.contents, once };
  const known = new Set([...counted, ...offsets.map(({ index }) => index)]);
  const { buffers, places, indices, searches } = await findLeading(
    trials,
    {
      ...{ probes: launch.probes, buffers: launch.buffers, elements, known, idle, offsets },
      ...{ again: reprobe.again, renew: () => session.renew() },
    },
    launch.probes,
  );
  const led = [...[...places, ...indices].map(({ index }) => index), ...searches.map(({ by }) => by)];
  const seenBefore = { probes: launch.probes, buffers, elements, sizes };
  const before = { ...seenBefore, known: new Set([...known, ...led]) };
  const bounds = await findValues(trials, before, { searches, renew: () => session.renew() });
  session.renew();
  const bounded = new Set([...before.known, ...bounds.indices.map(({ index }) => index)]);
  const left = idle.filter((name) => !rangesOf(indices).includes(name));
  const labels = await findLabels(reprobe, { ...launch, buffers }, { elements, idle: left, known: bounded });
  const fitted = { ...launch, buffers: bounds.buffers };
  const counts = withKnownCount(explained(fitted, { searches, indices }), sizes);
  return succeed({
    ...{ launch: withPartial(counts, partial), offsets, searches },
    indices: [...places, ...indices, ...labels, ...bounds.indices],
  });
}

/** Sizes that neither the grid nor any extent depends on. */
function idleOf({ planned }: ProbeSession, { grid, buffers }: TriedLaunch): readonly string[] {
  const depends = [...grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  return planned.flatMap((each) =>
    each.kind === "size" && !new RegExp(`\\b${each.name}\\b`).test(depends) ? each.name : [],
  );
}

/** Threads of each probe of a launch. */
function threadsOf({ grid, block, probes }: TriedLaunch): readonly number[] {
  return probes.settings.map((sizes) => {
    const blocks = gridOf(grid, sizes) ?? [1, 1, 1];
    return [...blocks, ...block].reduce((product, extent) => product * extent, 1);
  });
}

/**
 * Written buffers of which less is written where the numbers that no extent depends on are small: the width
 * of a border, a count of rounds.
 */
async function leftOutWith(
  session: ProbeSession,
  { planned, probes }: TriedLaunch,
  idle: readonly string[],
): Promise<ReadonlySet<string>> {
  const [sizes = {}] = probes.settings;
  if (idle.length === 0) return new Set();
  const ones = { ...sizes, ...Object.fromEntries(idle.map((name) => [name, 1])) };
  const least = settled(session, ones);
  const seen = await session.once(planned, least);
  if (!seen.ok || seen.value.isCut || seen.value.faults.length > 0) return new Set();
  const written = new Map(seen.value.buffers.map(({ name, written: span }) => [name, span?.bytes ?? 0]));
  const before = at(probes.observations, 0).buffers;
  const less = before.filter(({ name, written: span }) => (written.get(name) ?? 0) < (span?.bytes ?? 0));
  return new Set(less.map(({ name }) => name));
}

function withPartial(launch: TriedLaunch, names: ReadonlySet<string>): TriedLaunch {
  const buffers = launch.buffers.map((each) => (names.has(each.name) ? { ...each, isPartial: true } : each));
  return { ...launch, buffers };
}

/** A launch in which nothing was touched that is not there. */
async function faultless(
  session: ProbeSession,
  planned: TriedLaunch["planned"],
  sizes: Setting,
): Promise<Outcome<ProbeObservation, string>> {
  const seen = await session.once(planned, sizes);
  if (!seen.ok || seen.value.faults.length === 0) return seen;
  return fail("it touches what is not there");
}

/**
 * A launch whose misfit no longer counts buffers of which a search with other values has told the extent, nor
 * what lies before those that are led into by places counted from 1.
 */
function explained(
  launch: TriedLaunch,
  { searches, indices }: Pick<Explored, "searches" | "indices">,
): TriedLaunch {
  const told = launch.buffers.filter(
    ({ name, extent }) => extent === undefined && searches.some(({ into }) => into === name),
  );
  const led = launch.buffers.filter(
    ({ name, before }) => before > 0 && indices.some((each) => each.into === name && firstPlace(each) > 0),
  );
  return { ...launch, misfit: launch.misfit - unfitPenalty * told.length - beforePenalty * led.length };
}
