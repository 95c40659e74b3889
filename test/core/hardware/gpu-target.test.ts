import { expect, test } from "vitest";
import { describeGpu, readGpuStates } from "../../../server/core/hardware/gpu-state";
import { describeUse, readGpuUsers, usersRemarks } from "../../../server/core/hardware/gpu-users";
import type { Measurement } from "../../../server/core/hardware/measurement";
import { measureSides } from "../../../server/core/hardware/measuring";
import { fail, succeed } from "../../../server/core/base/outcome";
import { compareMeasured } from "../../../server/core/judge/measured-verdict";
import { measurementLines } from "../../../server/core/words/measurement";
import { hardwareLabel } from "../../../server/core/trajectory/export/content";
import { gpuReported, gpuOfTarget } from "../../../server/core/timing/gpu-model";
import { formatTarget, parseTarget } from "../../../server/core/timing/target";

// In the form that `nvidia-smi --help-query-gpu` documents; no GPU was asked.
const documented = `0, GPU-1, 00000000:17:00.0, NVIDIA A100-SXM4-80GB, 550.54.15, 8.0, 1410, 1593, 34, 61.20, 400.00, 0x0000000000000004
1, GPU-2, 00000000:65:00.0, NVIDIA T4, 550.54.15, 7.5, [N/A], [N/A], 30, [N/A], 70.00, 0x0000000000000001
`;

test("GPUs are read with what holds them back; what one does not tell is left out, and an idle clock is no fault", () => {
  const states = readGpuStates(documented);
  expect(states.ok && states.value.map(describeGpu)).toEqual([
    "NVIDIA A100-SXM4-80GB, driver 550.54.15, SM clock 1410 MHz, memory clock 1593 MHz, held back by the power limit",
    "NVIDIA T4, driver 550.54.15",
  ]);
  expect(states.ok && states.value.map(({ architecture, watts }) => [architecture, watts])).toEqual([
    ["sm_80", 61.2],
    ["sm_75", undefined],
  ]);
  expect(readGpuStates("No devices were found\n")).toEqual(
    fail('nvidia-smi answered "No devices were found", which describes no GPU'),
  );
});

test("who is on a GPU is told by the driver's own list; what it may not tell is left out", () => {
  const list = [
    "GPU-1, 4711, /usr/bin/python3.11, 10240",
    "GPU-2, 12, other, 5",
    "GPU-3, 13, [No data], 520",
    "GPU-1, 4712, C:\\Programs\\a, b.exe, [N/A]",
    "GPU-1, 4713, [Insufficient Permissions], 12",
    "GPU-1, 4714, train, 1",
    "No running processes found",
  ].join("\n");
  const states = readGpuStates(documented);
  const [first, second] = states.ok ? states.value : [];
  const told = [first, second].map((state) => state && describeUse(state, readGpuUsers(list, state.uuid)));
  expect(told).toEqual([
    "NVIDIA A100-SXM4-80GB · on it: python3.11 (process 4711, 10240 MiB), a, b.exe (process 4712), [Insufficient Permissions] (process 4713, 12 MiB) and 1 more · 34 °C · 61.2 of 400 W · held back by the power limit",
    "NVIDIA T4 · on it: other (process 12, 5 MiB) · 30 °C",
  ]);
  expect(second && describeUse(second, readGpuUsers("", second.uuid))).toBe(
    "NVIDIA T4 · the driver shows no program on it · 30 °C",
  );
  expect(usersRemarks([])).toEqual([]);
  expect(usersRemarks(readGpuUsers(list, "GPU-3"))).toEqual([
    "Other programs were on the GPU when its calls began: a program (process 13, 520 MiB). What they run meanwhile counts in the times.",
  ]);
  expect(usersRemarks(readGpuUsers(list, "GPU-2"))).toEqual([
    "Other programs were on the GPU when its calls began: other (process 12, 5 MiB). What they run meanwhile counts in the times.",
  ]);
});

test.each([
  ["gpu:0", "gpu:0"],
  ["gpu:0/sm_80", "gpu:0"],
  ["gpu:12/sm_90", "gpu:12/sm_90"],
  ["gpu:0/H200 SXM", "gpu:0/H200 SXM"],
  ["gpu:0/H900", undefined],
  ["gpu:", undefined],
  ["gpu:-1", undefined],
  ["gpu:0/sm_1", undefined],
  ["gpu:0x1", undefined],
  ["ssh:box", "ssh:box/sm_80"],
  ["ssh:me@box/sm_90", "ssh:me@box/sm_90"],
  ["ssh:me@box/gpu:1", "ssh:me@box/gpu:1"],
  ["ssh:me@[::1]/gpu:0/sm_90", "ssh:me@[::1]/gpu:0/sm_90"],
  ["ssh:me@[::1]/gpu:0/RTX 4090", "ssh:me@[::1]/gpu:0/RTX 4090"],
  ["ssh:/gpu:0", undefined],
  ["ssh:-oProxyCommand=x/gpu:0", undefined],
  ["ssh:box/gpu:", undefined],
  ["ssh:box/gpu:0/", undefined],
  ["ssh:box/gpu:0/sm_1", undefined],
  ["ssh:box/", undefined],
])("target %s", (text, written) => {
  const parsed = parseTarget(text);
  expect(parsed.ok ? formatTarget(parsed.value) : undefined).toBe(written);
});

test.each([
  ["vgpu:sm_90", "H100 SXM"],
  ["gpu:0/sm_90", "H100 SXM"],
  ["gpu:0/H200 SXM", "H200 SXM"],
])("target %s has the limits and the speed of %s", (text, name) => {
  const parsed = parseTarget(text);
  expect(parsed.ok && gpuOfTarget(parsed.value).name).toBe(name);
});

test.each([
  ["NVIDIA H200", "H200 SXM"],
  ["NVIDIA H100 80GB HBM3", "H100 SXM"],
  ["NVIDIA H100 PCIe", "H100 PCIe"],
  ["NVIDIA GeForce RTX 4090", "RTX 4090"],
  ["NVIDIA A100-SXM4-80GB", "A100 80GB SXM"],
  ["Tesla T4", "T4"],
  ["NVIDIA GeForce RTX 4060 Laptop GPU", undefined],
])("a driver's %s is %s of the table", (reported, name) => {
  expect(gpuReported(reported)?.name).toBe(name);
});

test.each([
  [undefined, "unknown"],
  ["vgpu:sm_90", "virtual GPU (sm_90): counts, not times"],
  ["ssh:box/sm_80", "virtual GPU (sm_80), compiled on another machine: counts, not times"],
  ["gpu:1/sm_90", "virtual GPU: counts; GPU 1 of the machine: times"],
  ["gpu:1/H200 SXM", "virtual GPU: counts; GPU 1 of the machine: times"],
  ["ssh:box/gpu:0", "virtual GPU: counts; GPU 0 of another machine: times"],
])("an export says of target %s what it was judged on, and no host", (target, words) => {
  expect(hardwareLabel(target)).toBe(words);
});

type Interval = readonly [lower: number, ratio: number, upper: number];

/** Times of shapes of 64, 128, … elements by their intervals; the baseline's own where there are none. */
function measurement(kind: Measurement["kind"], ...intervals: readonly Interval[]): Measurement {
  const state = readGpuStates(documented);
  const gpu = state.ok ? state.value[0] : undefined;
  if (gpu === undefined) throw new Error("the answer lists a GPU");
  const times = { cache: "cold" as const, isSteady: true };
  const shapes = intervals.map(([lower, ratio, upper], index) => ({
    ...{ ...times, sizes: { n: 64 << index }, nanoseconds: 3000 / ratio },
    comparison: {
      kind: kind ?? ("no difference found" as const),
      ...{ baselineNanoseconds: 3000, lower, ratio, upper, rounds: 40 },
    },
  }));
  return {
    origin: "measured",
    ...{ before: gpu, after: gpu },
    shapes: intervals.length === 0 ? [{ ...times, sizes: { n: 64 }, nanoseconds: 3000 }] : shapes,
    ...(kind && { kind }),
    protections: ["network", "other-files"],
    remarks: [],
  };
}

const baseline = measurement(undefined);
const twice = measurement("faster", [1.9, 2, 2.1]);
test.each([
  { what: "faster than the baseline", own: twice, other: baseline, kind: "better", gain: 0.5 },
  {
    what: "slower than it",
    own: measurement("slower", [0.4, 0.5, 0.6]),
    other: baseline,
    kind: "worse",
    gain: -1,
  },
  {
    what: "not told apart",
    own: measurement("no difference found", [0.99, 1, 1.01]),
    other: baseline,
    kind: "same",
    gain: 0,
  },
  {
    what: "ahead of a candidate",
    own: measurement("faster", [2.4, 2.5, 2.6]),
    other: twice,
    kind: "better",
    gain: 0.2,
  },
  {
    what: "overlapping one",
    own: measurement("faster", [2.05, 2.2, 2.4]),
    other: twice,
    kind: "same",
    gain: 0,
  },
  {
    what: "behind one",
    own: measurement("faster", [1.2, 1.25, 1.3]),
    other: twice,
    kind: "worse",
    gain: -0.6,
  },
  {
    what: "ahead on the second shape alone",
    own: measurement("faster", [1.8, 1.9, 2.2], [3.9, 4, 4.1]),
    other: measurement("faster", [1.9, 2, 2.1], [1.9, 2, 2.1]),
    kind: "better",
    gain: 0.5,
  },
  {
    what: "ahead on a shape that the other was not timed on",
    own: measurement("faster", [1.8, 1.9, 2.2], [3.9, 4, 4.1]),
    other: twice,
    kind: "same",
    gain: 0,
  },
  {
    what: "slower than the baseline, beside one that is slower still",
    own: measurement("slower", [0.7, 0.8, 0.9]),
    other: measurement("slower", [0.4, 0.5, 0.6]),
    kind: "worse",
    gain: -0.25,
  },
])("times on a GPU: $what", ({ own, other, kind, gain }) => {
  const found = compareMeasured(own, other);
  expect([found?.kind, found?.gain.toFixed(2)]).toEqual([kind, gain.toFixed(2)]);
});

test("times of another GPU, or none, decide nothing", () => {
  const other = { ...baseline, before: { ...baseline.before, uuid: "GPU-2" } };
  expect([compareMeasured(twice, other), compareMeasured(undefined, baseline)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a measurement is told with GPU, driver, clocks, interval and walls", () => {
  const gpu =
    "NVIDIA A100-SXM4-80GB, driver 550.54.15, SM clock 1410 MHz, memory clock 1593 MHz, held back by the power limit";
  expect(measurementLines(twice)).toEqual([
    `measured on ${gpu}; afterwards ${gpu}`,
    "  n=64 cold 3 µs → 1.5 µs, 2.000 times as fast (99.8% interval 1.900 to 2.100): faster",
    "  walls around its process: no network, no files but its own",
  ]);
});

test("both sides are timed by the plan until the interval is narrow; the first call that fails ends it", async () => {
  const options = { cache: "cold", seed: 5, sets: 3 } as const;
  const times = { baseline: 1000, candidate: 800 };
  const sides = await measureSides((call) => Promise.resolve(succeed(times[call.side])), options);
  expect(sides.ok && [sides.value.kind, sides.value.ratio.toFixed(3), sides.value.rounds]).toEqual([
    "faster",
    "1.250",
    40,
  ]);
  let calls = 0;
  const broken = await measureSides((call) => {
    calls += 1;
    return Promise.resolve(calls > 90 ? fail(`call ${calls} of ${call.side}`) : succeed(1000));
  }, options);
  expect(broken).toEqual(fail(expect.stringMatching(/^call 91 of /)));
});
