import { expect, test } from "vitest";
import type { BufferObservation, TouchedSpan } from "../../../server/core/workload/probe/observation";
import type { Elements } from "../../../server/core/workload/probe/judge-probe";
import { withLengths } from "../../../server/host/services/workload/probing/extents/find-lengths";

const elements: Elements = new Map([
  ["counts", { type: { dtype: "int32", width: 1 }, itemBytes: 4 }],
  ["y", { type: { dtype: "float32", width: 1 }, itemBytes: 4 }],
]);

const own = {
  isAtomic: false,
  contendedBytes: 0,
  lastBy: [0, 0, 0],
  elementBytes: 4,
  isFloat: false,
} as const;
const index = {
  ...{ index: "counts", into: "y", rows: "n", isNew: false, row: "n", base: -1 },
  distribution: { kind: "permutation", first: 1 },
} as const;

/** What becomes of an index whose elements are all 3, by what is written where there are 10 of them. */
function check(written: TouchedSpan): unknown {
  const buffers: readonly BufferObservation[] = [
    { name: "counts", ...own, read: { from: 0, to: 40, bytes: 40 } },
    { name: "y", ...own, written },
  ];
  const reach = [1, 1, 1] as const;
  const observation = {
    ...{ buffers, sharedBytes: 0, loadReach: reach, storeReach: reach, isCut: false },
    ...{ warpInstructions: 1, faults: [] },
  };
  const fitted = { name: "counts", extent: "n" } as Parameters<typeof withLengths>[1]["buffers"][number];
  const seen = { probes: { settings: [{ n: 10 }], observations: [observation] }, buffers: [fitted] };
  return withLengths([index], seen, elements)[0];
}

const lengths = {
  ...{ ...index, rows: "8 * n", isShared: true, row: 1, base: 0 },
  distribution: { kind: "range", low: 0, high: 8 },
};

test.each([
  ["three elements for each number are lengths", { from: 0, to: 120, bytes: 120 }, lengths],
  ["one row of many is an index", { from: 80, to: 120, bytes: 40 }, index],
  ["elements here and there are an index", { from: 0, to: 120, bytes: 40 }, index],
  ["another end is an index", { from: 0, to: 160, bytes: 160 }, index],
] as const)("%s", (_, written, expected) => {
  expect(check(written)).toEqual(expected);
});
