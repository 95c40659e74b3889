import { counterCatalogue, countersWith } from "../timing/counter-catalogue";
import type { CounterName, KernelCounters, LineCounters } from "../timing/counters";
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
    `${space} atomics wait for each other: ${plural(value, "pass", "es")}, ideal ${groupDigits(ideal)}, at worst ${line[worst]} in one instruction`;
}

/** Sentences that say more than the counter and its ideal. */
const sentences: Readonly<Partial<Record<CounterName, FaultText>>> = {
  sharedWavefronts: (line, value, ideal) =>
    `${line.sharedConflictWays}-way bank conflict: ${plural(value, "wavefront")}, ideal ${groupDigits(ideal)}`,
  globalLoadSectors: (_, value, ideal) =>
    `uncoalesced load: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  globalStoreSectors: (_, value, ideal) =>
    `uncoalesced store: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  globalAtomicPasses: contention("global", "globalAtomicWorst"),
  sharedAtomicPasses: contention("shared", "sharedAtomicWorst"),
  localSectors: (line, value) =>
    `local memory (spills or arrays): ${plural(line.localRequests, "request")}, ${plural(value, "sector")}`,
  divergentBranches: (line, value) =>
    `divergence: ${groupDigits(value)} of ${plural(line.branches, "branch", "es")} diverge`,
};

function faultText(counter: CounterName): FaultText {
  const { title, unit, unitEnding } = counterCatalogue[counter];
  return (
    sentences[counter] ??
    ((_, value, ideal) => `${title}: ${plural(value, unit, unitEnding)}, ideal ${groupDigits(ideal)}`)
  );
}

/** Counters of which more than the ideal is waste. */
const kinds = countersWith("ideal").map(([counter, ideal]) => ({
  counter,
  ideal: (line: LineCounters): number => (ideal === 0 ? 0 : line[ideal]),
  text: faultText(counter),
}));

/** What is wasteful on a line, worst first. */
export function lineFaults(line: LineCounters): readonly LineFault[] {
  return kinds
    .flatMap(({ counter, ideal, text }): readonly LineFault[] => {
      const [value, least] = [line[counter], ideal(line)];
      return value > least ? [{ line, counter, value, ideal: least, text: text(line, value, least) }] : [];
    })
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
}

/** The faults of a whole run, worst first. */
export function kernelFaults(counters: KernelCounters): readonly LineFault[] {
  return counters.lines.flatMap(lineFaults).sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
}
