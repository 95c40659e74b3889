import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { type Step, type Who, type Word, kernelText, racingSteps, threads } from "./race-oracle";
import { snippet } from "../snippets";
import { compileText } from "../support";
import { draws } from "../../../harness/draws";

const who: fc.Arbitrary<Who> = fc.oneof(
  fc.constant({ kind: "all" } as const),
  fc.record({ kind: fc.constant("warp" as const), number: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant("thread" as const), number: fc.constantFrom(0, 5, 31, 32, 64, 95) }),
  fc.record({ kind: fc.constant("below" as const), number: fc.constantFrom(4, 16, 32, 48, 64) }),
);
const word: fc.Arbitrary<Word> = fc.oneof(
  fc.constant({ kind: "own", number: 0 } as const),
  fc.record({ kind: fc.constant("fixed" as const), number: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant("flipped" as const), number: fc.constantFrom(1, 7, 8, 16, 32) }),
  fc.record({ kind: fc.constant("shifted" as const), number: fc.constantFrom(1, 2, 16, 32) }),
);
const access = fc.record({
  kind: fc.constantFrom("load" as const, "load" as const, "store" as const),
  who,
  word,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: access },
  { weight: 2, arbitrary: fc.constant({ kind: "block" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("lanes" as const),
      group: fc.constantFrom(8 as const, 16 as const, 32 as const),
    }),
  },
);

/** Pairs of steps that the detector tells of. */
function toldPairs(steps: readonly Step[]): ReadonlySet<string> {
  const text = snippet([], `mov.u32 %r0, %tid.x;\n${kernelText(steps)}`, ".shared .align 16 .b8 tile[1024];");
  const outcome = launch(compileText(text, "kernel", { detectors: true }), {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [],
    memory: new DeviceMemory(),
    instructionBudget: 1e6,
    faults: "report",
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return new Set(
    outcome.findings
      .filter(({ kind }) => kind === "shared-race")
      .map(({ line = 0, other }) =>
        [line - 1, (other?.line ?? 0) - 1].sort((left, right) => left - right).join("/"),
      ),
  );
}

describe("the race detector against all pairs of accesses", () => {
  it("tells nothing that is no race, and something where there is one", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
        const [expected, found] = [racingSteps(steps), toldPairs(steps)];
        expect([...found].filter((pair) => !expected.has(pair))).toEqual([]);
        expect(found.size > 0).toBe(expected.size > 0);
      }),
      { seed: 1, numRuns: draws(150) },
    );
  });
});
