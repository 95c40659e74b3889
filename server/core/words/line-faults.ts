import { retold, t } from "../base/localized";
import { counterCatalogue, countersWith } from "../timing/counter-catalogue";
import type { CounterName, KernelCounters, LineCounters } from "../timing/counters";
import type { MachineLine } from "../judge/verdict";
import { groupDigits, plural } from "./quantities";

export interface LineFault {
  readonly line: LineCounters;
  readonly counter: CounterName;
  readonly value: number;
  readonly ideal: number;
  /** Short sentence: `32-way bank conflict: 8,192 wavefronts, ideal 256`. */
  readonly text: string;
}

type FaultText = (line: LineCounters, value: number, ideal: number) => string;

function contention(space: string, worst: CounterName): FaultText {
  return (line, value, ideal) =>
    t`${retold(space)} atomics wait for each other: ${plural(value, "pass", "es")}, ideal ${groupDigits(ideal)}, at worst ${line[worst]} in one instruction`;
}

/** Sentences that say more than the counter and its ideal. */
const sentences: Readonly<Partial<Record<CounterName, FaultText>>> = {
  sharedWavefronts: (line, value, ideal) =>
    t`${line.sharedConflictWays}-way bank conflict: ${plural(value, "wavefront")}, ideal ${groupDigits(ideal)}`,
  globalLoadSectors: (_, value, ideal) =>
    t`uncoalesced load: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  globalStoreSectors: (_, value, ideal) =>
    t`uncoalesced store: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  globalAtomicPasses: contention("global", "globalAtomicWorst"),
  sharedAtomicPasses: contention("shared", "sharedAtomicWorst"),
  localSectors: (line, value) =>
    t`local memory (spills or arrays): ${plural(line.localRequests, "request")}, ${plural(value, "sector")}`,
  divergentBranches: (line, value, predicated) =>
    t`divergence: ${groupDigits(value - predicated)} of ${plural(line.branches, "branch", "es")} diverge`,
};

function faultText(counter: CounterName): FaultText {
  const { title, unit, unitEnding } = counterCatalogue[counter];
  return (
    sentences[counter] ??
    ((_, value, ideal) =>
      t`${retold(title)}: ${plural(value, unit, unitEnding)}, ideal ${groupDigits(ideal)}`)
  );
}

/** Counters of which more than the ideal is waste. */
const kinds = countersWith("ideal").map(([counter, ideal]) => ({
  counter,
  ideal: (line: LineCounters): number => (ideal === 0 ? 0 : line[ideal]),
  text: faultText(counter),
}));

const sectorBytes = 32;

/**
 * Counts above their ideal that are no fault. Lanes that share addresses (a broadcast) ask for as many bytes
 * as the sectors have, or for more: no other order of the lanes would move less.
 */
const harmless: Readonly<
  Partial<Record<CounterName, (line: LineCounters, machine: MachineLine | undefined) => boolean>>
> = {
  globalLoadSectors: (line) => line.globalLoadSectors * sectorBytes <= line.globalLoadBytes,
  globalStoreSectors: (line) => line.globalStoreSectors * sectorBytes <= line.globalStoreBytes,
  divergentBranches: (_, machine) => machine !== undefined && machine.mix["control"] === undefined,
};

/** What is wasteful on a line, worst first. `machine`: its machine code, where a cubin was read. */
export function lineFaults(line: LineCounters, machine?: MachineLine): readonly LineFault[] {
  return kinds
    .flatMap(({ counter, ideal, text }): readonly LineFault[] => {
      const [value, least] = [line[counter], ideal(line)];
      if (value <= least || harmless[counter]?.(line, machine) === true) return [];
      return [{ line, counter, value, ideal: least, text: text(line, value, least) }];
    })
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
}

/** Shares below which branches part harmlessly: of a line's branches (the end of a range), of the cost. */
const fewParts = { branches: 0.05, cost: 0.05 };

/** Nothing is wasteful on a line of this share of the cost but branches that part, harmlessly there. */
export function onlyPartHarmlessly(faults: readonly LineFault[], share: number): boolean {
  return (
    faults.every(({ counter }) => counter === "divergentBranches") &&
    (share < fewParts.cost ||
      faults.every(({ line, value, ideal }) => value - ideal < fewParts.branches * line.branches))
  );
}

/** From which share of the whole cost, and from how many loads of a sector, missing reuse is told. */
const told = { share: 0.25, times: 4 };
const memoryTerms: ReadonlySet<string> = new Set(["dram", "l2", "l1"]);

/** Loads of the same sectors again and again, where that is what the line costs: a sentence, or none. */
export function repeatedLoads(
  { loadReuse }: LineCounters,
  cost: { readonly share: number; readonly binding: string },
): readonly string[] {
  if (!loadReuse || cost.share < told.share || !memoryTerms.has(cost.binding)) return [];
  const again = [...loadReuse.sameBlock, ...loadReuse.otherBlocks].reduce((sum, count) => sum + count, 0);
  const times = (loadReuse.first + again) / Math.max(1, loadReuse.first);
  if (times < told.times) return [];
  return [
    t`missing reuse: each sector is loaded ${groupDigits(Math.round(times))} times on average; registers or shared memory could keep it`,
  ];
}

/** The faults of a whole run, worst first. */
export function kernelFaults(counters: KernelCounters): readonly LineFault[] {
  return counters.lines
    .flatMap((line) => lineFaults(line))
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
}
