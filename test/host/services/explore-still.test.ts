import { expect, test } from "vitest";
import { at } from "../../../server/core/base/known";
import { succeed } from "../../../server/core/base/outcome";
import type { ProbeArgument, ProbedKernel } from "../../../server/core/ports/prober";
import type { BufferObservation, ProbeObservation } from "../../../server/core/workload/probe/observation";
import type { Elements } from "../../../server/core/workload/probe/judge-probe";
import type { PlannedArgument } from "../../../server/host/services/workload/probing/arguments/planned-argument";
import { exploreKernel } from "../../../server/host/services/workload/probing/explore-kernel";
import { ProbeSession } from "../../../server/host/services/workload/probing/probe-session";
import { exploreStill } from "../../../server/host/services/workload/probing/variants/explore-still";

const float = { dtype: "float32", width: 1 } as const;
const elements: Elements = new Map([
  ["z", { type: float, itemBytes: 4 }],
  ["out", { type: float, itemBytes: 4 }],
]);

const scalarOf = (argument: ProbeArgument): number => (argument.kind === "scalar" ? argument.value : 0);
const contentOf = (argument: ProbeArgument): number =>
  argument.kind === "buffer" && argument.content.kind === "constant" ? argument.content.value : 0.75;

/** Each of n threads goes `steps` steps of `z[step * n + i]` from `spot`, and no further than `level`. */
const walk: ProbedKernel = {
  ...{ parameters: [], instance: [], sharedBytes: 0, axes: 1, gridAxes: 1 },
  ...{ unfilled: [], usesDynamicShared: false },
  run: async ({ grid, block, arguments: passed }) => {
    const [spot, level, steps, n] = [2, 3, 4, 5].map((index) => scalarOf(at(passed, index)));
    const threads = Math.min(grid[0] * block[0], n ?? 0);
    let [price, taken] = [spot ?? 0, 0];
    while (taken < (steps ?? 0)) {
      price += contentOf(at(passed, 0));
      taken += 1;
      if (price >= (level ?? 0)) break;
    }
    const end = 4 * ((taken - 1) * (n ?? 0) + threads);
    const span = { from: 0, to: end, bytes: 4 * taken * threads };
    const own = { isAtomic: false, contendedBytes: 0, lastBy: [threads - 1, 0, 0], elementBytes: 4 } as const;
    const buffers: readonly BufferObservation[] = [
      { name: "z", ...own, isFloat: true, read: span },
      { name: "out", ...own, isFloat: true, written: { from: 0, to: 4 * threads, bytes: 4 * threads } },
    ];
    const reach = [threads, 1, 1] as const;
    const seen: ProbeObservation = {
      ...{ buffers, sharedBytes: 0, loadReach: reach, storeReach: reach, isCut: false },
      ...{ warpInstructions: 1, faults: [] },
    };
    return succeed(seen);
  },
};

/** How far `z` is touched, and what the numbers are then, where `spot` and `level` are made up as said. */
async function check(spot: number, level: number): Promise<unknown> {
  const value = (name: string, number: number): PlannedArgument => ({
    ...{ kind: "value", name, dtype: "float32", value: number, isMadeUp: true },
  });
  const planned: readonly PlannedArgument[] = [
    { kind: "buffer", name: "z", type: float, isConst: true },
    { kind: "buffer", name: "out", type: float, isConst: false },
    value("spot", spot),
    value("level", level),
    { kind: "size", name: "steps", dtype: "int32" },
    { kind: "size", name: "n", dtype: "int32" },
  ];
  const session = new ProbeSession(walk, planned);
  const facts = { sites: [], blocks: () => [[256, 1, 1] as const] };
  const before = { planned: session.planned, layout: session.layout };
  const first = await exploreKernel(session, facts, elements);
  const seen = await exploreStill(session, { facts, first, before }, elements);
  const values = session.planned.flatMap((each) =>
    each.kind === "value" ? [`${each.name} = ${each.value}`] : [],
  );
  const extent = seen.ok && seen.value.launch.buffers.find(({ name }) => name === "z")?.extent;
  return { extent, values };
}

test.each([
  [
    "a bound that values reach after some steps",
    1,
    8,
    { extent: "steps * n", values: ["spot = 1", "level = 8"] },
  ],
  ["a bound that is reached at once", 0.5, 0.5, { extent: "steps * n", values: ["spot = 0.5", "level = 1"] }],
] as const)("steps are a size behind %s", async (_, spot, level, expected) => {
  expect(await check(spot, level)).toEqual(expected);
});
