import { expect, test } from "vitest";
import {
  isAtFloor,
  isEveryShapeAtFloor,
  operationsNanoseconds,
  rooflineOf,
} from "../../../server/core/agent/dialogue/roofline";
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

interface ShapesCase {
  readonly name: string;
  /** Sizes and bounds of the shapes; that of 2^20 is profiled. */
  readonly bounds: readonly (readonly [n: number, nanoseconds: number, simulated?: number])[];
  readonly whole?: number;
  /** Sectors that the baseline reads, of 2^17. */
  readonly read?: number;
  readonly expected: boolean;
}

const shapesCases: readonly ShapesCase[] = [
  {
    name: "both",
    bounds: [
      [2 ** 20, 5394],
      [2 ** 24, 86_310],
    ],
    expected: true,
  },
  {
    name: "the first alone",
    bounds: [
      [2 ** 20, 5394],
      [2 ** 24, 100_000],
    ],
    expected: false,
  },
  {
    name: "one below its floor",
    bounds: [
      [2 ** 20, 5394],
      [2 ** 24, 40_000],
    ],
    expected: false,
  },
  {
    name: "the second not simulated",
    bounds: [
      [2 ** 20, 5394, 6000],
      [2 ** 24, 86_310],
    ],
    whole: 1,
    expected: false,
  },
  {
    name: "inputs read in part",
    bounds: [
      [2 ** 20, 2700],
      [2 ** 24, 86_310],
    ],
    read: 10,
    expected: false,
  },
];

test.each(shapesCases)("at the floor of several shapes: $name", ({ bounds, whole, read, expected }) => {
  const shapeBounds = bounds.map(([n, nanoseconds, simulatedNanoseconds]) => ({
    ...{ sizes: { n }, weight: 1 },
    bound: { gpu: "A100", nanoseconds, simulatedNanoseconds, terms: {}, binding: "dram" },
  }));
  const reuse = read === undefined ? {} : { loadReuse: { first: read } };
  const totals = { ...noCounters(), ...reuse };
  const verdict = { counters: { totals }, evidence: { sizes: { n: 2 ** 20 } } } as unknown as CorrectVerdict;
  const bound = { ...shapeBounds[0]?.bound, simulatedNanoseconds: whole };
  const best = { ...verdict, bound, shapeBounds } as unknown as CorrectVerdict;
  expect(isEveryShapeAtFloor(spec, verdict, best, gpu)).toBe(expected);
});

test("operations are no part of the floor, and are priced on the units that they may use", () => {
  const totals = { ...noCounters(), fp32Flops: 2 ** 40 };
  const verdict = { counters: { totals }, evidence: { sizes: { n: 64 } } } as unknown as CorrectVerdict;
  const roofline = rooflineOf(spec, verdict, gpu);
  expect(roofline.floorNanoseconds).toBe(400);
  expect(operationsNanoseconds(roofline)).toBeCloseTo(2 ** 40 / 19_500, -3);
  const inputs = Object.fromEntries(
    Object.entries(spec.inputs).map(([name, tensor]) => [name, { ...tensor, dtype: "float16" as const }]),
  );
  expect(operationsNanoseconds(rooflineOf({ ...spec, inputs }, verdict, gpu))).toBeCloseTo(
    2 ** 40 / 312_000,
    -3,
  );
});
