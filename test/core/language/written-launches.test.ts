import { expect, test } from "vitest";
import { writtenLaunches } from "../../../server/core/language/cuda/launch/sizes/written-launches";
import type { LaunchSite } from "../../../server/core/language/facts";

type Written = Pick<LaunchSite, "grid" | "block" | "constants"> & { readonly passed: readonly string[] };
const extents = { rows: "q.size(2)", batch: "q.size(0)" };

/** Kernels that take a pointer `x` and a number `n`. */
test.each<readonly [string, Written, object]>([
  [
    "sizes of a tensor that no argument is",
    {
      passed: ["q", "rows"],
      grid: ["batch", "q.size(1)"],
      block: ["TILE"],
      constants: { ...extents, TILE: "32" },
    },
    [{ block: [32, 1, 1], grid: ["batch", "q_size_1"] }],
  ],
  [
    "sizes with what is passed beside them",
    { passed: ["q", "rows"], grid: ["(rows + 15) / 16", "batch"], block: ["16"], constants: extents },
    [{ block: [16, 1, 1], grid: ["(n + 15) / 16", "batch"] }],
  ],
  [
    "nothing where arguments tell all",
    { passed: ["q", "rows"], grid: ["rows"], block: ["16"], constants: extents },
    [],
  ],
  [
    "nothing of names that may be whole grids",
    { passed: ["q", "rows"], grid: ["tiles"], block: ["16"], constants: extents },
    [],
  ],
  [
    "nothing where the block is not known",
    { passed: ["q", "rows"], grid: ["batch"], block: ["threads"], constants: extents },
    [],
  ],
])("host code tells a grid of %s", (_, { passed, ...site }, expected) => {
  const launch = { ...site, arguments: passed } as unknown as LaunchSite;
  const parameters = [
    { name: "x", pointer: true },
    { name: "n", pointer: false },
  ];
  expect(writtenLaunches([launch], parameters)).toEqual(expected);
});
