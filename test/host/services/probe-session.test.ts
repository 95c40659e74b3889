import { expect, test } from "vitest";
import { fail } from "../../../server/core/base/outcome";
import type { ProbedKernel } from "../../../server/core/ports/prober";
import { findLaunch } from "../../../server/host/services/workload/probing/find-launch";
import { ProbeSession } from "../../../server/host/services/workload/probing/probe-session";

const endless: ProbedKernel = {
  parameters: [],
  instance: [],
  sharedBytes: 0,
  axes: 1,
  gridAxes: 1,
  unfilled: [],
  usesDynamicShared: false,
  run: () => Promise.resolve(fail("it did not end")),
};

test("a search among launches that never end is given up; the next one has a budget of its own", async () => {
  const session = new ProbeSession(endless, [{ kind: "size", name: "n", dtype: "int32" }]);
  const problems = async (): Promise<readonly string[]> => {
    const said: string[] = [];
    for (let probe = 0; probe < 12; probe += 1) {
      const grid = [1, 1, 1] as const;
      const seen = await session.once({ block: [32, 1, 1], dynamicSharedBytes: 0, grid: () => grid }, {});
      said.push(seen.ok ? "" : seen.problem);
    }
    return said;
  };
  const expected = [
    ...Array.from({ length: 10 }, () => "it did not end"),
    ...Array.from({ length: 2 }, () => "the search for its launch took too many probes"),
  ];
  const first = await problems();
  session.renew();
  expect([first, await problems()]).toEqual([expected, expected]);
});

test("where no launch ends, what one came to is said, not that the search used up its probes", async () => {
  const session = new ProbeSession(endless, [{ kind: "size", name: "n", dtype: "int32" }]);
  const facts = { sites: [], blocks: () => [[32, 1, 1] as const, [64, 1, 1] as const, [256, 1, 1] as const] };
  expect(await findLaunch(session, facts, new Map())).toEqual(
    fail("a launch of one block, with made-up contents: it did not end"),
  );
});
