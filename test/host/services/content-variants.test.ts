import { expect, test } from "vitest";
import type { ProbeObservation } from "../../../server/core/workload/probe/observation";
import type { PlannedArgument } from "../../../server/host/services/workload/probing/arguments/planned-argument";
import {
  askedRanges,
  contentVariants,
  variedContent,
} from "../../../server/host/services/workload/probing/variants/content-variants";
import { mergedObservation } from "../../../server/host/services/workload/probing/variants/merged-observation";

const buffer = (name: string, dtype: "int32" | "float32"): PlannedArgument => ({
  kind: "buffer",
  name,
  isConst: true,
  type: { dtype, width: 1 },
});

test("both ends of an edge hold different numbers, and states those that are waited for", () => {
  const asked = new Map([["state", [{ of: "round", step: 0 } as const, { of: 0, step: -1 } as const]]]);
  const buffers = ["from", "to", "state", "begin"].map((name) => buffer(name, "int32"));
  const variants = contentVariants(buffers, { asked, ends: new Set(["begin"]) });
  const [same, turn] = variants.map((variant) => Object.fromEntries(variant));
  expect(same).toEqual({ state: { kind: "constant", value: 2 } });
  expect(turn).toEqual({
    from: { kind: "cycle", values: [3, 2, 1] },
    to: { kind: "cycle", values: [2, 1, 3] },
    state: { kind: "cycle", values: [3, 2, -1] },
  });
  expect(askedRanges(asked).get("state")).toEqual({ low: -1, high: 2 });
});

test("numbers in turn stay as far apart around what a search tries", () => {
  const cycle = { kind: "cycle", values: [3, 2, 1] } as const;
  expect(variedContent(cycle, { kind: "constant", value: 11 })).toEqual({
    kind: "cycle",
    values: [11, 10, 9],
  });
  expect(variedContent(cycle, { kind: "ramp", step: 1 })).toEqual({ kind: "ramp", step: 1 });
  expect(variedContent(cycle, undefined)).toEqual(cycle);
});

test("what launches with other contents touch is seen as one launch's", () => {
  const seen = (written: ProbeObservation["buffers"][number]["written"]): ProbeObservation => ({
    buffers: [
      {
        name: "out",
        ...(written && { written }),
        ...{ isAtomic: false, contendedBytes: 0, lastBy: [0, 0, 0], elementBytes: 4, isFloat: false },
      },
    ],
    ...{ sharedBytes: 0, loadReach: [1, 1, 1], storeReach: [written === undefined ? 0 : 9, 1, 1] },
    ...{ isCut: false, warpInstructions: 5, faults: [] },
  });
  const merged = mergedObservation([seen(undefined), seen({ from: 4, to: 12, bytes: 8 })]);
  expect(merged).toMatchObject({ warpInstructions: 10, storeReach: [9, 1, 1], isOfSeveral: true });
  expect(merged.buffers[0]).toMatchObject({ written: { from: 4, to: 12 }, isSometimes: true });
});
