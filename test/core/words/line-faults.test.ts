import { expect, test } from "vitest";
import { noCounters } from "../../../server/core/timing/counters";
import { lineFaults, onlyPartHarmlessly } from "../../../server/core/words/line-faults";

const endOfRange = { divergentBranches: 1, branches: 1256 };
const everyOne = { divergentBranches: 64, branches: 64 };
const waits = { globalLoadSectors: 8, globalLoadIdealSectors: 1 };

test.each([
  { what: "at the end of a range", counted: endOfRange, share: 0.2, isHarmless: true },
  { what: "on a line that costs nothing", counted: everyOne, share: 0.01, isHarmless: true },
  { what: "all of them on a line that costs", counted: everyOne, share: 0.2, isHarmless: false },
  { what: "beside loads", counted: { ...endOfRange, ...waits }, share: 0.01, isHarmless: false },
])("branches that part $what", ({ counted, share, isHarmless }) => {
  const line = { file: "k.cu", line: 3, ...noCounters(), ...counted };
  expect(onlyPartHarmlessly(lineFaults(line), share)).toBe(isHarmless);
});
