import { expect, test } from "vitest";
import { furtherVariants } from "../../../server/core/judge/further-variants";
import type { TensorSpec } from "../../../server/core/workload/spec";

const byte = { kind: "range", low: 0, high: 255 } as const;
const ascending = { ...byte, sorted: true } as const;

const tensor = (dtype: TensorSpec["dtype"], distribution?: TensorSpec["distribution"]): TensorSpec => ({
  ...{ dtype, shape: ["n"] },
  ...(distribution && { distribution }),
});

test.each<[string, TensorSpec, TensorSpec["dtype"], readonly string[]]>([
  ["a range of whole numbers", tensor("uint8", byte), "int64", ["one-sided", "alike", "ends"]],
  ["sums of its ends that may cancel", tensor("uint8", byte), "float32", ["one-sided", "alike"]],
  ["a range in order", tensor("uint8", ascending), "int64", []],
  ["a range of doubles", tensor("float64", byte), "int32", ["one-sided", "beside-halves"]],
  ["singles", tensor("float32"), "float32", ["extreme", "small", "far-from-zero", "one-sided"]],
  ["singles that become whole", tensor("float32"), "int32", ["extreme", "small", "one-sided"]],
  ["halves", tensor("float16"), "float32", ["extreme", "small", "one-sided"]],
])("values beyond the spec for %s", (_, input, output, expected) => {
  expect(furtherVariants({ inputs: { x: input }, outputs: { y: tensor(output) } })).toEqual(expected);
});
