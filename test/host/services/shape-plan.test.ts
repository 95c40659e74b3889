import { expect, test } from "vitest";
import type { FittedBuffer } from "../../../server/core/workload/probe/judge-probe";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes/proposed";
import { shapePlan } from "../../../server/host/services/workload/entries/shape-plan";

function buffer(name: string, extent: FittedBuffer["extent"]): FittedBuffer {
  return {
    ...{ name, extent, overrun: undefined, seen: extent === 0 ? 0 : 17_543 },
    ...{ isRead: extent !== 0, isWritten: false, isAtomic: false, isPartial: false, coverage: 1 },
    ...{ readCoverage: 1, width: 1, contended: 0, before: 0 },
  };
}

test.each([
  { what: "all are touched", buffers: [buffer("rows", "n * m")] },
  { what: "one is touched by no call", buffers: [buffer("rows", "n * m"), buffer("fallback", 0)] },
])("the large shape fills a GPU where of the buffers $what", ({ buffers }) => {
  const asked = {
    calls: {
      domains: new Map(["n", "m"].map((name) => [name, { kind: "any" as const }])),
      scale: "large" as const,
      relations: [],
      probes: { settings: [], observations: [] },
      buffers,
    },
    ...{ indices: [], starts: [], offsets: [], text: "", passed: undefined },
    nearest: (_: string, value: number) => value,
  };
  expect(proposeProbedShapes(shapePlan(asked))[0]?.sizes).toEqual({ n: 1024, m: 1024 });
});

test.each([
  { name: "rowPitch", why: "it may count bytes", factor: 16 },
  { name: "row_stride", why: "it counts elements", factor: 1 },
])("$name leads over all of a row where no extent says how far: $why", ({ name, factor }) => {
  const asked = {
    calls: {
      domains: new Map(["width", "height", name].map((each) => [each, { kind: "any" as const }])),
      scale: "large" as const,
      relations: [],
      probes: { settings: [], observations: [] },
      buffers: [buffer("picture", undefined)],
    },
    ...{ indices: [], starts: [], offsets: [], text: "", passed: undefined },
    nearest: (_: string, value: number) => value,
  };
  const shapes = proposeProbedShapes(shapePlan(asked)).map(({ sizes }) => sizes);
  expect(shapes.length).toBeGreaterThan(1);
  for (const { width = 0, height = 0, [name]: stride = 0 } of shapes)
    expect(stride).toBeGreaterThanOrEqual(factor * Math.max(width, height));
});
