import { expect, test } from "vitest";
import { type LaunchModel, warpActivities } from "../../../server/core/timing/execution/launch-model";
import { modelRows } from "../../../server/core/words/model-text";

const activities = Object.fromEntries(warpActivities.map((each) => [each, each === "issued" ? 1 : 0]));

const model: LaunchModel = {
  kernel: "",
  gpu: "A100",
  architecture: "sm_80",
  nanoseconds: 1000,
  launchNanoseconds: 3000,
  clockGigahertz: 1.41,
  blocks: 1,
  residentBlocks: 1,
  residentWarps: 1,
  clocks: 1410,
  simulatedShare: 1,
  instructionsPerClock: 1,
  mapping: { method: "graph", deviation: 0, ptxInstructions: 9, machineInstructions: 9, walked: 1 },
  busy: {},
  activities: activities as LaunchModel["activities"],
  lines: [],
  timeline: [],
};

test.each([
  { symbol: "_Z9gemm_rowsILi64ELi4EEvPKfPfi", name: "gemm_rows<64, 4>" },
  { symbol: "_Z5scalePfi", name: "scale" },
  { symbol: "softmax_kernel", name: "softmax_kernel" },
])("the model of $symbol is headed $name", ({ symbol, name }) => {
  expect(modelRows({ ...model, kernel: symbol }, 80)[0]).toBe(`${name}: modelled 1 µs on A100 (sm_80)`);
});
