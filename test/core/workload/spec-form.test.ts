import { expect, test } from "vitest";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { fitsSchema, good, problemsOf, triton } from "./spec-under-test";

/** Cases of form: the schema and the parser agree. */
test.each<[string, object, readonly string[]]>([
  ["a whole CUDA spec", good, []],
  ["a whole Triton spec", triton, []],
  [
    "every optional part",
    {
      ...good,
      tolerance: { absolute: 1e-5, relative: 0 },
      objective: "modelled-bound",
      editable: ["a/b.cuh"],
      reference: { expressions: { y: "x + rows" } },
    },
    [],
  ],
  [
    "a structure by its fields",
    {
      ...good,
      launch: {
        ...good.launch,
        arguments: [
          {
            byteLength: 24,
            fields: [
              { at: 0, buffer: "x" },
              { at: 8, buffer: "y" },
              { at: 16, value: "rows * 2", dtype: "int32" },
              { at: 20, value: 0.5, dtype: "float32" },
            ],
          },
        ],
      },
    },
    [],
  ],
  [
    "what a capture writes",
    {
      ...good,
      launch: {
        ...good.launch,
        arguments: [
          { buffer: "x", offset: "4 * rows" },
          { bytes: "00".repeat(16), pointers: [{ at: 8, buffer: "y", offset: 0 }] },
          { value: "beta", dtype: "float32" },
        ],
        symbols: ["taps"],
        instance: ["float", "256"],
      },
      inputs: {
        x: { dtype: "float32", shape: ["rows", "cols"], distribution: { kind: "recorded" } },
        taps: { dtype: "float32", shape: [9], distribution: { kind: "recorded" } },
      },
      shapes: [
        {
          sizes: { rows: 64, cols: 1000 },
          values: { beta: -0.5 },
          recorded: { x: "0".repeat(64), taps: "1".repeat(64) },
          weight: 3,
        },
      ],
      reference: "baseline",
      program: { file: "main.cu", arguments: ["64"], compileOptions: ["-Iinclude"] },
      origins: { "launch.grid": "recorded" },
    },
    [],
  ],
  ["a price at larger sizes", { ...good, pricedAt: { rows: 4096, cols: 1000 } }, []],
  [
    "a C++ function as entry",
    { ...good, launch: undefined, entry: { call: "launch.cuh::nn::softmax", arguments: ["x", "y"] } },
    [],
  ],
  [
    "figures of a distribution",
    {
      ...good,
      inputs: {
        x: {
          dtype: "float32",
          shape: ["rows", "cols"],
          distribution: { kind: "range", low: 0, high: "rows", sorted: true },
        },
      },
    },
    [],
  ],
  [
    "a distribution that lacks a figure",
    {
      ...good,
      inputs: { x: { dtype: "float32", shape: ["rows", "cols"], distribution: { kind: "range", low: 0 } } },
    },
    ['"high" must be a number or an expression over the sizes'],
  ],
  [
    "an origin that nobody knows",
    { ...good, origins: { "launch.grid": "heard" } },
    ['"launch.grid" must be one of recorded, probed, inferred, guessed'],
  ],
  ["version missing", { ...good, version: undefined }, ['"version": 1 is missing']],
  ["another version", { ...good, version: 2 }, ["the version must be 1: this program reads no other"]],
  [
    "no file",
    { ...good, kernel: "softmax" },
    ['"kernel" must be "FILE::NAME", such as "softmax.cu::softmax"'],
  ],
  [
    "unknown ending",
    { ...good, kernel: "softmax.hip::softmax" },
    [
      "the file softmax.hip has no known ending: .cu, .cuh, .cpp, .py, .h, .hpp, .hh, .inl, .cc, .cxx are known",
    ],
  ],
  [
    "both launch and entry",
    { ...good, entry: triton.entry },
    ['"launch" and "entry" exclude each other: remove one'],
  ],
  [
    "neither",
    { ...good, launch: undefined },
    [
      'either "launch" (a CUDA kernel, launched directly) or "entry" (a host function that launches it) is missing',
    ],
  ],
  [
    "unknown entry",
    { ...good, launch: { ...good.launch, grids: [1] } },
    ['"grids" has no meaning here; did you mean "grid"?'],
  ],
  [
    "an entry that nothing known looks like",
    { ...good, launch: { ...good.launch, stream: 0 } },
    [
      '"stream" has no meaning here; known are grid, block, sharedBytes, arguments, includedBy, symbols, instance',
    ],
  ],
  [
    "a misspelt name is one problem, not a missing field as well",
    { ...good, outputs: undefined, ouputs: good.outputs },
    ['"ouputs" has no meaning here; did you mean "outputs"?'],
  ],
  [
    "too many dimensions",
    { ...good, launch: { ...good.launch, grid: [1, 1, 1, 1] } },
    ["one to three sizes were expected, x first"],
  ],
  [
    "a fraction as size",
    { ...good, launch: { ...good.launch, block: [1.5] } },
    ['a size was expected: a whole number or an expression such as "ceil_div(n, 32)"'],
  ],
  [
    "unknown dtype",
    { ...good, outputs: { y: { dtype: "float8", shape: [] } } },
    [
      '"dtype" must be one of float64, float32, float16, bfloat16, int64, int32, int16, int8, uint64, uint32, uint16, uint8, bool',
    ],
  ],
  [
    "distribution of an output",
    { ...good, outputs: { y: { ...good.inputs.x } } },
    ['"distribution" has no meaning here; known are dtype, shape'],
  ],
  [
    "negative size",
    { ...good, shapes: [{ sizes: { rows: -1, cols: 1 } }] },
    ['"rows" must be a whole number, zero or more'],
  ],
  [
    "sizes missing",
    { ...good, shapes: [{}] },
    ['"sizes" is missing: an object: NAME → whole number was expected'],
  ],
  [
    "no reference",
    { ...good, reference: undefined },
    [
      '"reference" must be "baseline", "FILE.py::FUNCTION" or { "expressions": { OUTPUT: "numpy expression" } }',
    ],
  ],
  [
    "negative tolerance",
    { ...good, tolerance: { absolute: -1, relative: 0 } },
    ['"absolute" must be a number, zero or more'],
  ],
  [
    "scalar without dtype",
    { ...triton, entry: { call: "a.py::f", arguments: [{ value: "rows" }, "x"] } },
    [
      '"dtype" must be one of float64, float32, float16, bfloat16, int64, int32, int16, int8, uint64, uint32, uint16, uint8, bool',
    ],
  ],
  [
    "an argument that is nothing known",
    { ...good, launch: { arguments: ["x", "y", {}] } },
    ['the name of an input or output, or { "value": SIZE, "dtype": TYPE } was expected'],
  ],
  [
    "a misspelt part of an argument",
    { ...good, launch: { arguments: ["x", { buffer: "y", offset: 0, stride: 4 }] } },
    ['"stride" has no meaning here; known are buffer, offset'],
  ],
  [
    "bytes in capitals",
    { ...good, launch: { arguments: ["x", "y", { bytes: "0F" }] } },
    ['the bytes of a structure as lower-case hex were expected, such as "0000803f"'],
  ],
  [
    "an unknown kind of distribution",
    { ...good, inputs: { x: { ...good.inputs.x, distribution: { kind: "cauchy" } } } },
    [
      '"distribution" must be one of normal, uniform, zero-one, integers, positive, sorted, permutation, or an object whose "kind" is one of range, skewed, offsets, permutation, constant, letters, recorded',
    ],
  ],
  [
    "what is wrong in several places",
    { version: 1, kernel: "softmax", shapes: [{ sizes: { "2n": 1.5 } }], reference: { expression: "x" } },
    [
      '"inputs" is missing: an object: NAME → { "dtype": …, "shape": [ … ] } was expected',
      '"outputs" is missing: an object: NAME → { "dtype": …, "shape": [ … ] } was expected',
      'either "launch" (a CUDA kernel, launched directly) or "entry" (a host function that launches it) is missing',
      '"kernel" must be "FILE::NAME", such as "softmax.cu::softmax"',
      '"2n" is not a name: letters, digits and _ were expected',
      '"reference" must be "baseline", "FILE.py::FUNCTION" or { "expressions": { OUTPUT: "numpy expression" } }',
    ],
  ],
  [
    "fraction for an integer scalar",
    { ...good, launch: { arguments: ["x", "y", { value: 0.5, dtype: "int32" }] } },
    ['a size was expected: a whole number or an expression such as "ceil_div(n, 32)"'],
  ],
])("form: %s", (_, content, expected) => {
  const text = JSON.stringify(content);
  expect(problemsOf(text).map((problem) => problem.replace(/^\d+:\d+ /, ""))).toEqual(expected);
  expect(fitsSchema(JSON.parse(text))).toBe(expected.length === 0);
});

test("a name without meaning is told at the name, a wrong value at the value", () => {
  const text = '{ "version": 1,\n  "shaxpes": [], "kernel": 3 }';
  const parsed = parseKernelSpec(text);
  const told = parsed.ok ? [] : parsed.problem.map(({ line, column, about }) => [line, column, about]);
  expect(told).toContainEqual([2, 3, "name"]);
  expect(told).toContainEqual([2, 28, undefined]);
});
