import { expect, test } from "vitest";
import { isAtFloor, rooflineOf } from "../../../server/core/agent/dialogue/roofline";
import type { CorrectVerdict } from "../../../server/core/judge/verdict";
import { noCounters } from "../../../server/core/timing/counters";
import { gpuOfTarget } from "../../../server/core/timing/gpu-model";
import { scriptedTask } from "../../harness/scripted-evaluator";

const { spec, target } = scriptedTask("// bound 1000\n");
const gpu = gpuOfTarget(target);
const program = { file: "main.cu", arguments: [], compileOptions: [] };
const recorded = { ...spec, program };

interface FloorCase {
  readonly name: string;
  readonly about: typeof spec;
  /** Elements of 4 bytes that are read and written: 2^20 of them take 5.4 µs, 2^24 take 86 µs. */
  readonly n: number;
  readonly nanoseconds: number;
  /** Sectors that are moved for each that would do; 1 unless stated. */
  readonly spread?: number;
  readonly expected: boolean;
}

const cases: readonly FloorCase[] = [
  { name: "a launch that waits for memory once", about: spec, n: 64, nanoseconds: 400, expected: true },
  { name: "one that waits twice", about: spec, n: 64, nanoseconds: 800, expected: false },
  { name: "a short one of a program", about: recorded, n: 64, nanoseconds: 400, expected: false },
  { name: "one with long gaps", about: recorded, n: 2 ** 20, nanoseconds: 5394, expected: false },
  { name: "one with short gaps", about: recorded, n: 2 ** 24, nanoseconds: 86_310, expected: true },
  { name: "structures of a caller", about: spec, n: 2 ** 24, nanoseconds: 86_310, spread: 4, expected: true },
  {
    name: "structures of a program, which may be arrays",
    ...{ about: recorded, n: 2 ** 24, nanoseconds: 86_310, spread: 4, expected: false },
  },
];

test.each(cases)("at the floor or not: $name", ({ about, n, nanoseconds, spread = 1, expected }) => {
  const moved = { globalLoadSectors: spread * n, globalLoadSectorsIdeal: n };
  const verdict = { counters: { totals: { ...noCounters(), ...moved } }, evidence: { sizes: { n } } };
  const roofline = rooflineOf(about, verdict as unknown as CorrectVerdict, gpu);
  const bound = { gpu: "A100", nanoseconds, terms: {}, binding: "dram" } as const;
  expect(isAtFloor(bound as never, roofline)).toBe(expected);
});
