import { retold, t } from "../base/localized";
import { counterCatalogue, loneCounters } from "../timing/counter-catalogue";
import type { CounterSums } from "../timing/counters";
import { reuseTexts } from "./line-text";
import { resourceWords } from "./names/names";
import type { KernelProfile, MovedBytes, ProfileSummary } from "./profile";
import { describeBytes, describeCount, describeNanoseconds, describeShare, plural } from "./quantities";
import type { ModelledBound } from "../judge/verdict";

/** Terms below this share of the greatest are not worth a word. */
export const quietTerm = 0.01;

/** `1.42 µs, set by DRAM: DRAM 1.42 µs, L2 577 ns`: terms in order. */
function boundText(bound: ModelledBound): string {
  const greatest = Math.max(...Object.values(bound.terms));
  const terms = Object.entries(bound.terms)
    .filter(([, value]) => value > quietTerm * greatest)
    .sort((a, b) => b[1] - a[1]);
  const told = terms.map(([name, value]) => `${resourceWords(name)} ${describeNanoseconds(value)}`);
  return t`${describeNanoseconds(bound.nanoseconds)}, set by ${resourceWords(bound.binding)}: ${told.join(", ")}`;
}

/** Empty where no simulation says it. */
function simulatedText({ simulatedNanoseconds }: ModelledBound): string {
  return simulatedNanoseconds === undefined ? "" : describeNanoseconds(simulatedNanoseconds);
}

/**
 * `75% (6 blocks, 48 of 64 warps on a multiprocessor), limited by registers: 32 registers a thread instead of
 * 40 would let 8 blocks in`.
 */
function occupancyText({ occupancy, shape, multiprocessors }: ProfileSummary): string {
  const { blocksPerSm, warpsPerSm, warpsAtMost, limiter, advice } = occupancy;
  if (limiter === "impossible") return t`none: ${retold(advice)}`;
  // Blocks that fill no round say more than what a multiprocessor could hold.
  if (shape.blocks < blocksPerSm * multiprocessors) return fewBlocksText(occupancy, shape, multiprocessors);
  return t`${describeShare(occupancy.fraction)} (${plural(blocksPerSm, "block")}, ${warpsPerSm} of ${warpsAtMost} warps on a multiprocessor), limited by ${retold(limiter.replace("-", " "))}${advice === "" ? "" : `: ${retold(advice)}`}`;
}

/**
 * How full a launch keeps the GPU, in a few words at the end of a line: `107 of 108 SMs idle`, `75%
 * occupancy`; `15% occupancy, few blocks` where more would fit than there are.
 */
export function describeOccupancy({ occupancy, shape, multiprocessors }: ProfileSummary): string {
  const { blocksPerSm, limiter, fraction } = occupancy;
  if (limiter === "impossible") return t`no block fits`;
  const idle = multiprocessors - shape.blocks;
  if (idle > 0) return t`${idle} of ${multiprocessors} SMs idle`;
  if (shape.blocks >= blocksPerSm * multiprocessors) return t`${describeShare(fraction)} occupancy`;
  return t`${describeShare(averageShare(occupancy, shape, multiprocessors))} occupancy, few blocks`;
}

/** Warps that are there of those that could be, where blocks fill no round. */
function averageShare(
  { blocksPerSm, warpsPerSm, warpsAtMost }: ProfileSummary["occupancy"],
  { blocks }: ProfileSummary["shape"],
  multiprocessors: number,
): number {
  return ((warpsPerSm / blocksPerSm) * (blocks / multiprocessors)) / warpsAtMost;
}

/**
 * `107 of 108 multiprocessors idle: the launch has 1 block; each could hold 8 such blocks`, or how few of the
 * warps that would fit the launch has.
 */
function fewBlocksText(
  occupancy: ProfileSummary["occupancy"],
  shape: ProfileSummary["shape"],
  multiprocessors: number,
): string {
  const { blocksPerSm, warpsPerSm, warpsAtMost } = occupancy;
  const { blocks } = shape;
  const launched = t`the launch has ${plural(blocks, "block")}`;
  const room = t`each could hold ${plural(blocksPerSm, "such block")} (${warpsPerSm} of ${warpsAtMost} warps)`;
  const idle = multiprocessors - blocks;
  if (idle > 0) return t`${idle} of ${multiprocessors} multiprocessors idle: ${launched}; ${room}`;
  return t`${describeShare(averageShare(occupancy, shape, multiprocessors))} on average: ${launched} for ${multiprocessors} multiprocessors, of which ${room}`;
}

/** What is known about a kernel as a whole: a label and a sentence each, without what does not occur. */
export function summaryRows(
  summary: ProfileSummary,
  profile: KernelProfile,
): readonly (readonly [string, string])[] {
  const { totals } = profile.counters;
  const shares = Object.entries(summary.classes).map(
    ([name, count]) => `${retold(name)} ${describeShare(count / Math.max(1, totals.instructions))}`,
  );
  const rows: readonly (readonly [string, string])[] = [
    [t`simulated time`, simulatedText(summary.bound)],
    [t`modelled bound`, boundText(summary.bound)],
    [t`occupancy`, occupancyText(summary)],
    ...machineRows(profile, summary),
    [
      t`instructions`,
      t`${describeCount(totals.instructions)} by warps, ${Number(summary.activeLanes.toFixed(1))} of 32 lanes active: ${shares.join(", ")}`,
    ],
    [
      t`branches`,
      totals.branches === 0
        ? ""
        : t`${describeCount(totals.branches)}, ${describeShare((totals.divergentBranches - totals.predicatedBranches) / totals.branches)} divergent`,
    ],
    [t`operations`, operationsText(summary)],
    ...memoryRows(summary.bytes),
    ...reuseTexts(totals),
    [
      t`shared wavefronts`,
      totals.sharedWavefronts === 0
        ? ""
        : t`${describeCount(totals.sharedWavefronts)}, ideal ${describeCount(totals.sharedWavefrontsIdeal)}, at worst ${totals.sharedConflictWays}-way`,
    ],
    [t`global atomics`, atomicsText(totals, "global")],
    [t`shared atomics`, atomicsText(totals, "shared")],
    ...loneCounters.map(
      (name) =>
        [
          retold(counterCatalogue[name].title),
          totals[name] === 0 ? "" : describeCount(totals[name]),
        ] as const,
    ),
  ];
  return rows.filter(([, text]) => text !== "");
}

function machineRows(
  { facts }: KernelProfile,
  { shape }: ProfileSummary,
): readonly (readonly [string, string])[] {
  return facts.map((fact): readonly [string, string] => {
    const stalls = (fact.machineCode ?? []).reduce((sum, line) => sum + line.staticStallCycles, 0);
    const spilled = fact.spillStoreBytes + fact.spillLoadBytes;
    const parts = [
      plural(fact.registers, "register"),
      spilled === 0 ? t`no spills` : t`${describeBytes(spilled)} spilled`,
      t`${describeBytes(shape.sharedBytes)} of shared memory a block`,
      ...(stalls === 0 ? [] : [plural(stalls, "static stall cycle")]),
    ];
    return [t`compiled ${fact.architecture}`, parts.join(", ")];
  });
}

function operationsText({ flops, operationsPerByte }: ProfileSummary): string {
  const parts = Object.entries(flops)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${describeCount(count)} ${retold(name)}`);
  if (parts.length === 0) return "";
  return `${parts.join(", ")}${operationsPerByte === undefined ? "" : t`; ${Number(operationsPerByte.toPrecision(3))} for each byte of DRAM`}`;
}

/** Asked for and moved, with where it came from. */
function memoryRows(bytes: MovedBytes): readonly (readonly [string, string])[] {
  const both = (load: number, store: number): string =>
    [load > 0 ? t`${describeBytes(load)} loaded` : "", store > 0 ? t`${describeBytes(store)} stored` : ""]
      .filter((text) => text !== "")
      .join(", ");
  const { fromFirstLevel = 0, fromSecondLevel = 0, fromMemory } = bytes;
  const levels =
    fromMemory === undefined
      ? ""
      : t` (L1 ${describeBytes(fromFirstLevel)}, L2 ${describeBytes(fromSecondLevel)}, DRAM ${describeBytes(fromMemory)})`;
  return [
    [
      t`global loads`,
      bytes.globalLoadSectors === 0
        ? ""
        : t`${describeBytes(bytes.globalLoadAsked)} asked for, ${describeBytes(bytes.globalLoadSectors)} in sectors${levels}`,
    ],
    [
      t`global stores`,
      bytes.globalStoreSectors === 0 && (bytes.toMemory ?? 0) === 0
        ? ""
        : t`${describeBytes(bytes.globalStoreAsked)} asked for, ${describeBytes(bytes.globalStoreSectors)} in sectors${bytes.toMemory === undefined ? "" : t` (${describeBytes(bytes.toMemory)} back to DRAM)`}`,
    ],
    [t`shared memory`, both(bytes.sharedLoad, bytes.sharedStore)],
    [
      t`local memory`,
      bytes.localSectors === 0
        ? ""
        : t`${both(bytes.localLoad, bytes.localStore)}, ${describeBytes(bytes.localSectors)} in sectors`,
    ],
  ];
}

function atomicsText(totals: CounterSums, space: "global" | "shared"): string {
  const instructions = totals[`${space}Atomics`];
  if (instructions === 0) return "";
  const mean = Number((totals[`${space}AtomicPasses`] / instructions).toFixed(1));
  return t`${describeCount(instructions)} by warps (${describeCount(totals[`${space}AtomicLanes`])} lanes), ${plural(mean, "pass", "es")} each on average, ${totals[`${space}AtomicWorst`]} at worst`;
}
