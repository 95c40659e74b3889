import { expect, test } from "vitest";
import type { Constants } from "../../../server/core/language/cuda/constants";
import { namedLimits } from "../../../server/core/language/cuda/launch/sizes/named-limits";

const texts = {
  ...{
    MAX_JOINTS: "8",
    SLOT: "MAX_JOINTS * 4",
    kMaxHeads: "(1 << 6)",
    MAX_N: "1 << 24",
    N_MAX: "512",
    K_MAX: "16",
  },
  ...{ MAX_ITER: "40", maxRank: "rank", MAX_BINS: "1" },
};
const constants: Constants = new Map(
  Object.entries(texts).map(([name, text]) => [name, { name, text, node: undefined }]),
);

test.each<readonly [name: string, most: readonly number[]]>([
  ["nJoints", [8]],
  ["num_joints", [8]],
  ["joint", [8]],
  ["joint_limit", []],
  ["heads", [64]],
  ["n", [512]],
  ["k", [16]],
  ["iter", [40]],
  ["maxIter", []],
  ["rank", []],
  ["bins", []],
  ["slot", []],
])("%s is at most %j by the name of a constant", (name, most) => {
  expect(namedLimits([name], constants)).toEqual(
    most.map((value) => ({ kind: "most", name, value: String(value) })),
  );
});
