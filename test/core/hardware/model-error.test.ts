import { expect, test } from "vitest";
import type { GpuState } from "../../../server/core/hardware/gpu-state";
import type { Measurement } from "../../../server/core/hardware/measurement";
import { errorsOf, modelError } from "../../../server/core/hardware/model-error";
import { measurementLines } from "../../../server/core/words/measurement";

const cold = { sizes: { n: 1 }, cache: "cold", nanoseconds: 3000 } as const;
const sustained = { sizes: { n: 1 }, cache: "sustained", nanoseconds: 1500 } as const;
const launch = { eventNanoseconds: 500, gapNanoseconds: 125 };
const modelled = { sizes: { n: 1 }, by: "simulation", nanoseconds: 1000, launch } as const;

test.each([
  [
    "the cold time counts where there is one, less a launch that is timed alone",
    [sustained, cold],
    modelled,
    2,
  ],
  ["else the sustained one, less a launch of several in a row", [sustained], modelled, 1.2],
  ["another shape is none", [{ ...cold, sizes: { n: 2 } }], modelled, undefined],
  ["nothing modelled is no error", [cold], { ...modelled, nanoseconds: 0 }, undefined],
] as const)("how far the model was off: %s", (_, shapes, said, ratio) => {
  expect(modelError(shapes, said)?.ratio).toBe(ratio);
});

test("errors of a GPU are told by their median and their range", () => {
  expect([errorsOf([]), errorsOf([2]), errorsOf([4, 1, 2])]).toEqual([
    undefined,
    { count: 1, median: 2, least: 2, greatest: 2 },
    { count: 3, median: 2, least: 1, greatest: 4 },
  ]);
});

test("a measurement tells them and that nothing is corrected", () => {
  const gpu = { name: "A100", driver: "570", heldBack: [] as readonly string[] } as GpuState;
  const error = modelError([sustained], modelled);
  const errors = errorsOf([4, 1, 2]);
  const measurement: Measurement = {
    ...{ origin: "measured", before: gpu, after: gpu, protections: [], remarks: [] },
    shapes: [{ ...sustained, isSteady: true }],
    ...(error && { modelError: error }),
    ...(errors && { modelErrors: errors }),
  };
  expect(measurementLines(measurement).slice(-2)).toEqual([
    "  n=1 sustained: the simulation said 1 µs, and launching takes 250 ns; the GPU took 1.20 times that",
    "  of 3 shapes timed on A100 the model was off by a median of 2.00 (1.00 to 4.00); no number is corrected by it",
  ]);
});
