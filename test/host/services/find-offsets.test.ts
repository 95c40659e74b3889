import { expect, test } from "vitest";
import type { BufferObservation, ProbeContent } from "../../../server/core/workload/probe/observation";
import { type Elements, fitBuffers, type Probes } from "../../../server/core/workload/probe/judge-probe";
import { probeSettings } from "../../../server/core/workload/probe/settings";
import { findOffsets } from "../../../server/host/services/workload/probing/find-offsets";

const elements: Elements = new Map([
  ["starts", { type: { dtype: "int32", width: 1 }, itemBytes: 4 }],
  ["values", { type: { dtype: "float32", width: 1 }, itemBytes: 4 }],
]);

/** Elements of `values` that a kernel reads, by its n + 1 numbers in `starts`. */
type Kernel = (starts: readonly number[]) => Iterable<number>;

function pairs(starts: readonly number[]): readonly (readonly [number, number])[] {
  return starts.slice(1).map((end, index) => [starts[index] ?? 0, end]);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function buffer(name: string, read: ReadonlySet<number>, last: number): BufferObservation {
  const to = 4 * [...read].reduce((most, each) => Math.max(most, each), -1) + 4;
  return {
    ...{ name, isAtomic: false, contendedBytes: 0, lastBy: [last, 0, 0], elementBytes: 4, isFloat: false },
    ...(read.size === 0 ? {} : { read: { from: 0, to, bytes: 4 * read.size } }),
  };
}

async function offsetsOf(kernel: Kernel, threadsPerRow = 1): Promise<unknown> {
  const contents = new Map<string, ProbeContent>();
  const settings = probeSettings(["n"], { step: 1, isSmall: false });
  const probe = (): Probes => {
    const content = contents.get("starts");
    const observations = settings.map(({ n = 0 }) => {
      const starts = range(0, n + 1).map((at) => (content?.kind === "ramp" ? content.step * at : 3));
      const buffers = [
        buffer("starts", new Set(range(0, n + 1)), n - 1),
        buffer("values", new Set(kernel(starts)), n - 1),
      ];
      const reach = [0, 0, 0] as const;
      return {
        ...{ buffers, sharedBytes: 0, loadReach: reach, storeReach: reach, isCut: false },
        ...{ warpInstructions: 1, faults: [] },
      };
    });
    return { settings, observations };
  };
  const probes = probe();
  const launch = { probes, buffers: fitBuffers(probes, elements) };
  const reprobe = { contents, again: () => Promise.resolve({ ok: true as const, value: probe() }) };
  const threads = settings.map(({ n = 0 }) => threadsPerRow * n);
  const { offsets } = await findOffsets(reprobe, launch, { elements, divide: [], threads });
  return offsets.map(({ index, rows, perRow, into }) => ({ index, rows, perRow, ...into.get("values") }));
}

const found = { index: "starts", rows: "n", perRow: 4 };

test.each<readonly [string, Kernel, readonly unknown[]]>([
  [
    "rows without their ends",
    (starts) => pairs(starts).flatMap(([from, to]) => range(from, to)),
    [{ ...found, row: 1, includesEnd: false }],
  ],
  [
    "rows with their ends",
    (starts) => pairs(starts).flatMap(([from, to]) => range(from, to + 1)),
    [{ ...found, row: 1, includesEnd: true }],
  ],
  [
    "rows of eight elements each",
    (starts) => pairs(starts).flatMap(([from, to]) => range(8 * from, 8 * to)),
    [{ ...found, row: 8, includesEnd: false }],
  ],
  [
    "rows of two elements each, with their ends",
    (starts) => pairs(starts).flatMap(([from, to]) => range(2 * from, 2 * to + 2)),
    [{ ...found, row: 2, includesEnd: true }],
  ],
  [
    "windows of seven elements within rows, of which short ones have none",
    (starts) => pairs(starts).flatMap(([from, to]) => (to - from < 7 ? [] : range(from, to))),
    [{ ...found, perRow: 128, row: 1, includesEnd: false }],
  ],
  ["a gather", (starts) => starts, []],
  ["a gather of neighbours", (starts) => starts.flatMap((each) => [each, each + 1, each + 2]), []],
  ["nothing that depends on them", () => range(0, 5), []],
])("%s", async (_, kernel, expected) => {
  expect(await offsetsOf(kernel)).toEqual(expected);
});

test("as many elements a row as threads share it", async () => {
  const kernel: Kernel = (starts) => pairs(starts).flatMap(([from, to]) => range(from, to));
  expect(await offsetsOf(kernel, 40)).toEqual([{ ...found, perRow: 32, row: 1, includesEnd: false }]);
});
