import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import type { LineCounters } from "../../../../timing/counters";
import { clockGigahertz } from "../../../../timing/gpu-model";
import { type Finding, fraction, type Measured, pipes, shareOfTime, shareOn, worstLine } from "../measured";

/** Shared memory that is read or written in more passes than its requests need. */
export function bankConflicts(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { sharedWavefronts: value, sharedWavefrontsIdeal: ideal } = measured.totals;
  const worst = worstLine(measured.lines, (line) => line.sharedWavefronts - line.sharedWavefrontsIdeal);
  if (worst === undefined || value < ideal * limitIn(entry, "ratio")) return [];
  const share = shareOn(measured, ["shared"], fraction(value - ideal, value));
  return [
    {
      line: worst.line,
      share,
      blanks: { value: worst.sharedWavefronts, ideal: worst.sharedWavefrontsIdeal },
    },
  ];
}

/** Arrays of a thread, and registers that did not suffice, in local memory. */
export function localMemory(measured: Measured): readonly Finding[] {
  const { totals, lines } = measured;
  const { localSectors, globalLoadSectors, globalStoreSectors, instructions } = totals;
  const spills = spilledOn(measured);
  const requests = (line: LineCounters): number => line.localRequests + (spills.get(line.line) ?? 0);
  const worst = worstLine(lines, requests);
  if (worst === undefined) return [];
  const value = lines.reduce((sum, line) => sum + requests(line), 0);
  const sectors = localSectors + sectorsEach * (value - totals.localRequests);
  const moved = sectors + globalLoadSectors + globalStoreSectors;
  // Of spills the bound knows nothing: their passes through the first level stand beside its terms.
  const clocks = (sectorsEach * (value - totals.localRequests)) / 4;
  const spilling =
    clocks / (Math.min(measured.blocks, measured.gpu.multiprocessors) * clockGigahertz(measured.gpu));
  const share = Math.max(
    shareOn(measured, ["l1"], fraction(localSectors, moved)),
    // With each access goes the arithmetic of its address.
    shareOn(measured, [...pipes], fraction(2 * value, instructions + value)),
    shareOfTime(measured, spilling),
  );
  const what =
    value > 2 * totals.localRequests ? "registers that did not suffice" : "an array of each thread";
  return [{ line: worst.line, share, blanks: { value: Math.round(value), what } }];
}

/** Sectors of a request for one word of each lane. */
const sectorsEach = 4;

/** How often warps load and store registers that did not suffice, by line: once for each time it ran. */
function spilledOn({ input, lines }: Measured): ReadonlyMap<number, number> {
  const machine = input.facts.flatMap(({ machineCode = [] }) => machineCode);
  const found = machine
    .filter(({ spillInstructions, file }) => spillInstructions > 0 && file === input.file)
    .map(({ line, spillInstructions, instructions }) => {
      const ran = lines.find((each) => each.line === line)?.instructions ?? 0;
      return [line, (spillInstructions * ran) / Math.max(1, instructions)] as const;
    });
  return new Map(found);
}
