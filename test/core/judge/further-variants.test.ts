import { expect, test } from "vitest";
import { evenVariants, exactingVariants, furtherVariants } from "../../../server/core/judge/further-variants";
import type { TensorSpec } from "../../../server/core/workload/spec";

const byte = { kind: "range", low: 0, high: 255 } as const;
const seeds = { kind: "range", low: 0, high: 2 ** 32 - 1 } as const;
const ascending = { ...byte, sorted: true } as const;

const tensor = (dtype: TensorSpec["dtype"], distribution?: TensorSpec["distribution"]): TensorSpec => ({
  ...{ dtype, shape: ["n"] },
  ...(distribution && { distribution }),
});

test.each<[string, TensorSpec, TensorSpec["dtype"], readonly string[]]>([
  [
    "a range of whole numbers",
    tensor("uint8", byte),
    "int64",
    ["one-sided", "alike", "ends", "strided", "arranged"],
  ],
  ["seeds", tensor("uint32", seeds), "float32", ["one-sided", "alike", "ends", "arranged"]],
  ["sums of its ends that may cancel", tensor("uint8", byte), "float32", ["one-sided", "alike", "arranged"]],
  ["offsets of rows", tensor("int32", { kind: "offsets", total: "m" }), "float32", ["alike", "long-row"]],
  ["a range in order", tensor("uint8", ascending), "int64", []],
  ["a range of doubles", tensor("float64", byte), "int32", ["one-sided", "beside-halves", "arranged"]],
  [
    "singles",
    tensor("float32"),
    "float32",
    ["extreme", "small", "far-from-zero", "one-sided", "mostly-zero", "arranged"],
  ],
  [
    "singles that become whole",
    tensor("float32"),
    "int32",
    ["extreme", "small", "one-sided", "mostly-zero", "crowded", "arranged"],
  ],
  ["halves", tensor("float16"), "float32", ["extreme", "small", "one-sided", "mostly-zero", "arranged"]],
])("values beyond the spec for %s", (_, input, output, expected) => {
  expect(furtherVariants({ inputs: { x: input }, outputs: { y: tensor(output) } })).toEqual(expected);
});

test.each<[string, TensorSpec, Parameters<typeof exactingVariants>[0]["requires"], readonly string[]]>([
  ["sums in double precision", tensor("float32"), ["double"], ["cancelling"]],
  ["sums that take their error", tensor("float32"), ["compensated-sum"], ["cancelling", "like"]],
  ["sums of doubles", tensor("float64"), ["double"], []],
  ["what requires nothing of sums", tensor("float32"), ["tensor"], []],
  ["what requires nothing", tensor("float32"), undefined, []],
])("values beyond the spec for %s", (_, input, requires, expected) => {
  expect(exactingVariants({ inputs: { x: input }, ...(requires && { requires }) })).toEqual(expected);
});

test.each<[string, TensorSpec, readonly string[]]>([
  ["a range", tensor("uint8", byte), ["least", "greatest"]],
  ["whole numbers without a range", tensor("int32", "integers"), ["greatest"]],
  ["singles", tensor("float32"), []],
  ["places in order", tensor("int32", ascending), []],
])("one number throughout for %s", (_, input, expected) => {
  expect(evenVariants({ inputs: { x: input } })).toEqual(expected);
});
