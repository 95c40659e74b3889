import { expect, test } from "vitest";
import { isAtFloor, rooflineOf } from "../../../server/core/agent/dialogue/roofline";
import type { CorrectVerdict } from "../../../server/core/judge/verdict";
import { noCounters } from "../../../server/core/timing/counters";
import { gpuOfTarget } from "../../../server/core/timing/gpu-model";
import { scriptedTask } from "../../harness/scripted-evaluator";

const { spec, target } = scriptedTask("// bound 1000\n");
const gpu = gpuOfTarget(target);
const program = { file: "main.cu", arguments: [], compileOptions: [] };
const recorded = { ...spec, program };

/** Elements of 4 bytes that are read and written: 2^20 of them take 5.4 µs, 2^24 take 86 µs. */
test.each([
  ["a launch of its own that waits for memory once", spec, 64, 400, true],
  ["one that waits twice", spec, 64, 800, false],
  ["a short one of a program, which may need fewer of them", recorded, 64, 400, false],
  ["one of a program whose gaps are a fifth of it", recorded, 2 ** 20, 5394, false],
  ["one of a program whose gaps are next to nothing", recorded, 2 ** 24, 86_310, true],
])("at the floor or not: %s", (_, about, n, nanoseconds, expected) => {
  const verdict = { counters: { totals: noCounters }, evidence: { sizes: { n } } };
  const roofline = rooflineOf(about, verdict as unknown as CorrectVerdict, gpu);
  const bound = { gpu: "A100", nanoseconds, terms: {}, binding: "dram" } as const;
  expect(isAtFloor(bound as never, roofline)).toBe(expected);
});
