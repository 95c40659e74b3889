import { expect, test } from "vitest";
import type { FittedBuffer } from "../../../server/core/workload/probe/judge-probe";
import { withKnownCount } from "../../../server/core/workload/probe/known-count";
import type { SizeExpression } from "../../../server/core/workload/spec";

function buffer(name: string, extent: SizeExpression | undefined): FittedBuffer {
  return {
    ...{ name, extent, overrun: undefined, seen: 8, isRead: true, isWritten: true, isAtomic: false },
    ...{ isPartial: false, coverage: 1, readCoverage: 1, width: 1, contended: 0, before: 0 },
  };
}

/** Grid and extents of a launch after it; buffers by their extents. */
function known(
  extents: readonly (SizeExpression | undefined)[],
  { counts = ["blocks"], names = [] }: { readonly counts?: string[]; readonly names?: string[] } = {},
): unknown {
  const buffers = extents.map((extent, index) => buffer(`b${index}`, extent));
  const launch = withKnownCount({ grid: [...counts, 1], counts, buffers }, names);
  return [...launch.grid, "for", ...launch.buffers.map(({ extent }) => extent)];
}

test.each([
  [
    "a torus of a fixed size: one buffer shows its length",
    known([16_384, "8 * blocks"]),
    [2048, 1, "for", 16_384, 16_384],
  ],
  [
    "a table beside buffers as long as the launch",
    known([100, "256 * blocks"]),
    ["blocks", 1, "for", 100, "256 * blocks"],
  ],
  ["two lengths", known([512, 1024, "256 * blocks"]), ["blocks", 1, "for", 512, 1024, "256 * blocks"]],
  [
    "an extent that is not known",
    known([1024, undefined, "256 * blocks"]),
    [4, 1, "for", 1024, undefined, 1024],
  ],
  [
    "a kernel with sizes",
    known([1024, "256 * blocks"], { names: ["n"] }),
    ["blocks", 1, "for", 1024, "256 * blocks"],
  ],
  ["nothing but a fixed length", known([1024]), ["blocks", 1, "for", 1024]],
])("how many blocks there are: %s", (_, found, expected) => {
  expect(found).toEqual(expected);
});
