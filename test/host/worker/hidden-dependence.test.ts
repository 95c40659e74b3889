import { expect, test } from "vitest";
import type { CheckedCase, InputVariant } from "../../../server/core/judge/verdict";
import type { PlannedCase } from "../../../server/host/worker/evaluation/case-shapes";
import type { KernelSession } from "../../../server/host/worker/evaluation/kernel-runner";
import { HiddenDependence } from "../../../server/host/worker/judging/hidden-dependence";

type Judge = ConstructorParameters<typeof HiddenDependence>[0];
type Seen = Parameters<HiddenDependence["added"]>[1];

/** What is handed to launches for a pattern of inputs; `draw` counts the draws of it. */
type Handed = (variant: InputVariant, draw: number) => string;

const variants = ["declared", "declared", "wide", "zero-one"] as const satisfies readonly InputVariant[];

/** Which of the cases of one shape are accused. */
async function check(candidate: Handed, baseline: Handed): Promise<readonly boolean[]> {
  const shape = {} as PlannedCase["shape"];
  let draws = 0;
  const session = {} as KernelSession;
  const judge = {
    baseline: {
      sessions: new Set(),
      runOnNew: async ({ variant }: PlannedCase) => ({
        kind: "ran",
        handed: baseline(variant, (draws += 1)),
      }),
    },
    runOnOthers: async () => ({ kind: "ran", handed: candidate("declared", (draws += 1)) }),
  } as unknown as Judge;
  const dependence = new HiddenDependence(judge, "kernel.py");
  const accused: boolean[] = [];
  for (const variant of variants) {
    const seen = {
      planned: { shape, variant },
      run: { kind: "ran", handed: candidate(variant, (draws += 1)) },
      session,
      anew: () => ({ close: async () => undefined }),
      signal: new AbortController().signal,
    } as unknown as Seen;
    const checked = await dependence.added({ passed: true, findings: [] } as unknown as CheckedCase, seen);
    accused.push(checked.findings.length > 0);
  }
  return accused;
}

const steady: Handed = () => "grid 4";
const ofValues: Handed = (variant, draw) => (variant === "zero-one" ? "1.0" : `0.${draw}`);
const ofPattern: Handed = (variant) => (variant === "zero-one" ? "1.0" : "0.5");

test.each([
  ["nothing depends on the inputs", steady, steady, [false, false, false, false]],
  ["the candidate alone depends on them", ofValues, steady, [false, true, false, false]],
  ["both depend on them", ofValues, ofValues, [false, false, false, false]],
  ["both, and zeros and ones are drawn the same twice", ofPattern, ofPattern, [false, false, false, false]],
  ["the candidate alone tells the patterns apart", ofPattern, steady, [false, false, false, true]],
] as const)("%s", async (_, candidate, baseline, accused) => {
  expect(await check(candidate, baseline)).toEqual(accused);
});
