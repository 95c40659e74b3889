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

interface FaultKind {
  readonly counter: CounterName;
  readonly ideal: (line: LineCounters) => number;
  readonly text: (line: LineCounters, value: number, ideal: number) => string;
}

function contention(space: string, worst: CounterName): FaultKind["text"] {
  return (line, value, ideal) =>
    `${space} atomics wait for each other: ${plural(value, "pass", "es")}, ideal ${groupDigits(ideal)}, at worst ${line[worst]} in one instruction`;
}

/** What can be wasteful on a line: more than the ideal of a counter. */
const kinds: readonly FaultKind[] = [
  {
    counter: "sharedWavefronts",
    ideal: (line) => line.sharedWavefrontsIdeal,
    text: (line, value, ideal) =>
      `${line.sharedConflictWays}-way bank conflict: ${plural(value, "wavefront")}, ideal ${groupDigits(ideal)}`,
  },
  {
    counter: "globalLoadSectors",
    ideal: (line) => line.globalLoadSectorsIdeal,
    text: (_, value, ideal) => `uncoalesced load: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  },
  {
    counter: "globalStoreSectors",
    ideal: (line) => line.globalStoreSectorsIdeal,
    text: (_, value, ideal) => `uncoalesced store: ${plural(value, "sector")}, ideal ${groupDigits(ideal)}`,
  },
  {
    counter: "globalAtomicPasses",
    ideal: (line) => line.globalAtomics,
    text: contention("global", "globalAtomicWorst"),
  },
  {
    counter: "sharedAtomicPasses",
    ideal: (line) => line.sharedAtomics,
    text: contention("shared", "sharedAtomicWorst"),
  },
  {
    counter: "localSectors",
    ideal: () => 0,
    text: (line, value) =>
      `local memory (spills or arrays): ${plural(line.localRequests, "request")}, ${plural(value, "sector")}`,
  },
  {
    counter: "divergentBranches",
    ideal: () => 0,
    text: (line, value) =>
      `divergence: ${groupDigits(value)} of ${plural(line.branches, "branch", "es")} diverge`,
  },
];

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
