import { expect, test } from "vitest";
import {
  beyondSpec,
  type MadeUpCase,
  shapeOf,
  takesMadeUpCases,
} from "../../../server/core/workload/cases/made-up-case";
import type { Distribution, KernelSpec, TensorSpec } from "../../../server/core/workload/spec";

const tensor = (dtype: TensorSpec["dtype"], distribution?: Distribution): TensorSpec => ({
  dtype,
  shape: ["n"],
  ...(distribution && { distribution }),
});

const spec: KernelSpec = {
  file: "k.cu",
  kernel: "k",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      arguments: [
        ...["free", "whole", "unit", "index", "order", "sorted", "fixed", "y"],
        { value: "by", dtype: "float32" },
      ],
    },
  },
  inputs: {
    free: tensor("float32"),
    whole: tensor("int16", "integers"),
    unit: tensor("float32", "positive"),
    index: tensor("int32", { kind: "range", low: 0, high: "n - 1" }),
    order: tensor("int32", "permutation"),
    sorted: tensor("float32", "sorted"),
    fixed: tensor("float32", { kind: "constant", value: 1 }),
  },
  outputs: { y: { dtype: "float32", shape: ["n", "m"] } },
  shapes: [
    { sizes: { n: 100, m: 1 }, values: { by: 0.5 } },
    { sizes: { n: 64, m: 3 }, values: { by: 2 } },
  ],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

const usual = { sizes: { n: 77, m: 2 }, values: { by: 1 } };
const drawn = (name: string, distribution: Distribution): MadeUpCase => ({
  ...usual,
  inputs: { [name]: distribution },
});
const range = (low: number, high: number, sorted?: true): Distribution => ({
  kind: "range",
  low,
  high,
  ...(sorted && { sorted }),
});
const otherValues = (name: string): string => `the spec promises other values of ${name}`;

test.each<readonly [string, MadeUpCase, string | undefined]>([
  ["sizes and values between the listed ones", usual, undefined],
  ["the smallest sizes", { ...usual, sizes: { n: 1, m: 1 } }, undefined],
  ["ten times the largest", { ...usual, sizes: { n: 1000, m: 30 } }, undefined],
  ["more than that", { ...usual, sizes: { n: 1001, m: 30 } }, "n = 1001 is no whole number from 1 to 1000"],
  ["none", { ...usual, sizes: { n: 0, m: 1 } }, "n = 0 is no whole number from 1 to 1000"],
  ["half an element", { ...usual, sizes: { n: 0.5, m: 1 } }, "n = 0.5 is no whole number from 1 to 1000"],
  ["a size too few", { ...usual, sizes: { n: 5 } }, "its sizes are not n, m"],
  ["a size that nobody knows", { ...usual, sizes: { n: 5, k: 5 } }, "its sizes are not n, m"],
  ["a value that nobody listed", { ...usual, values: { by: 3 } }, "by = 3 is not from 0.5 to 2"],
  ["no value", { sizes: usual.sizes }, "its values are not by"],
  ["any number where the values are open", drawn("free", range(-1000, 1000)), undefined],
  ["one number for all", drawn("free", { kind: "constant", value: -200 }), undefined],
  ["a larger one", drawn("free", range(0, 1001)), "free cannot hold such values"],
  ["bounds the wrong way round", drawn("free", range(2, 1)), "free cannot be drawn so"],
  ["the whole range of a type", drawn("whole", range(-32_768, 32_767)), undefined],
  ["more than its type holds", drawn("whole", range(0, 32_768)), "whole cannot hold such values"],
  ["fractions of a whole type", drawn("whole", range(0, 0.5)), "whole cannot hold such values"],
  ["positive ones", drawn("unit", range(0.001, 900)), undefined],
  ["zero where they are positive", drawn("unit", { kind: "constant", value: 0 }), otherValues("unit")],
  ["normal ones where they are positive", drawn("unit", "normal"), otherValues("unit")],
  ["an index at the end", drawn("index", { kind: "constant", value: 76 }), undefined],
  ["an index behind the end", drawn("index", { kind: "constant", value: 77 }), otherValues("index")],
  ["skewed indices", drawn("index", { kind: "skewed", low: 0, high: 76, exponent: 2 }), undefined],
  [
    "an exponent without end",
    drawn("index", { kind: "skewed", low: 0, high: 76, exponent: 1e9 }),
    "index cannot hold such values",
  ],
  ["another order", drawn("order", "integers"), "order is drawn in one way only"],
  ["sorted numbers", drawn("sorted", range(0, 1, true)), undefined],
  ["numbers that are not sorted", drawn("sorted", range(0, 1)), otherValues("sorted")],
  [
    "a constant of the spec",
    drawn("fixed", { kind: "constant", value: 2 }),
    "fixed is drawn in one way only",
  ],
  ["an output", drawn("y", "normal"), '"y" is no input'],
  ["a name of JavaScript's own", drawn("__proto__", "normal"), '"__proto__" is no input'],
  ["a name that every object has", drawn("constructor", "normal"), '"constructor" is no input'],
])("a case is held to what the spec promises: %s", (_, made, expected) => {
  expect(beyondSpec(spec, made)).toBe(expected);
});

test("a case has no more elements than four times the largest listed one", () => {
  const square = { ...spec, inputs: {}, outputs: { y: { dtype: "float32", shape: ["n", "n"] } as const } };
  const listed = { ...square, shapes: [{ sizes: { n: 2000 } }] };
  const launch = { kind: "launch", launch: { arguments: ["y"] } } as const;
  const of = (n: number): string | undefined => beyondSpec({ ...listed, run: launch }, { sizes: { n } });
  expect([of(4000), of(4001)]).toEqual([undefined, "its tensors have 16008001 elements, more than 16000000"]);
});

const launch = { ...usual, recorded: { free: "0".repeat(64) }, results: { y: "1".repeat(64) } };
const launches: KernelSpec = {
  ...spec,
  inputs: { ...spec.inputs, free: { dtype: "float32", shape: ["n"], distribution: { kind: "recorded" } } },
  shapes: [launch],
};

test.each<readonly [string, MadeUpCase, string | undefined]>([
  ["real numbers of its own", drawn("free", range(-10, 10)), undefined],
  ["what the program handed over", usual, "it draws no input of the launch anew"],
  [
    "another size",
    { ...drawn("free", "normal"), sizes: { n: usual.sizes.n, m: 1 } },
    "it has not the sizes and values of a recorded launch",
  ],
])("a case on a recorded launch: %s", (_, made, expected) => {
  expect(beyondSpec(launches, made)).toBe(expected);
});

test("a case on a recorded launch has its contents, and not what it left", () => {
  const { recorded, sizes, values } = launch;
  expect(shapeOf(launches, drawn("free", "normal"))).toEqual({ sizes, values, recorded });
});

test("recorded whole numbers may be indices, which nobody draws", () => {
  const whole: KernelSpec = {
    ...launches,
    inputs: { free: { dtype: "int32", shape: ["n"], distribution: { kind: "recorded" } } },
  };
  expect([spec, launches, whole].map(takesMadeUpCases)).toEqual([true, true, false]);
  const mixed = { ...launches, inputs: { ...launches.inputs, ...whole.inputs } };
  expect(beyondSpec(mixed, drawn("free", range(0, 3)))).toBe("free is drawn in one way only");
});
