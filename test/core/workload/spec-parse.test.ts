import { readdirSync, readFileSync } from "node:fs";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { writeKernelSpec } from "../../../server/core/workload/spec-write";
import { fitsSchema, good, problemsOf, triton } from "./spec-under-test";

const aTensor = { dtype: "float32", shape: ["rows"] };

/** Cases of meaning: a schema cannot say these. */
test.each<[string, object, readonly string[]]>([
  [
    "path that leaves the folder",
    { ...good, kernel: "../softmax.cu::softmax" },
    [
      "../softmax.cu leaves the folder of this file: a relative path with forward slashes and without .. was expected",
    ],
  ],
  [
    "absolute path",
    { ...good, editable: ["/etc/passwd"] },
    [
      "/etc/passwd leaves the folder of this file: a relative path with forward slashes and without .. was expected",
    ],
  ],
  [
    "unknown name in a shape",
    { ...good, inputs: { x: { dtype: "float32", shape: ["lines"] } } },
    ['"lines", column 1: the name "lines" is not known; known are rows, cols'],
  ],
  [
    "a bad expression",
    { ...good, launch: { ...good.launch, grid: ["ceil_div(rows, "] } },
    ['"ceil_div(rows, ", column 16: a number, a name or "(" was expected before the end'],
  ],
  [
    "an empty grid",
    { ...good, launch: { ...good.launch, grid: ["rows / 64"] } },
    ['"rows / 64" is 0 with {"rows":3,"cols":31}: 1 or more was expected'],
  ],
  [
    "output not passed",
    { ...good, launch: { arguments: ["x"] } },
    ['the output "y" is not among the arguments: the kernel could not write it'],
  ],
  [
    "input not passed",
    { ...triton, entry: { call: "a.py::f", arguments: [] } },
    ['the input "x" is not among the arguments: add it there or remove it here'],
  ],
  [
    "a size as argument",
    { ...good, launch: { arguments: ["x", "y", "rows"] } },
    ['"rows" is neither an input nor an output: write { "value": "rows", "dtype": "int32" } for a size'],
  ],
  [
    "an unknown argument",
    { ...good, launch: { arguments: ["x", "y", "q"] } },
    ['"q" is neither an input nor an output: known are x, y'],
  ],
  [
    "scratch memory that is compared, that is not passed, and that Python is lent",
    {
      ...triton,
      entry: {
        call: "a.py::f",
        arguments: ["x"],
        scratch: { x: aTensor, t: { ...aTensor, shape: ["lines"] } },
      },
    },
    [
      "Python allocates what it needs: scratch buffers are lent to a C++ function alone; remove these",
      '"x" is an input or output as well: what is scratch is neither given nor compared; remove it in one of the places',
      '"t" is no argument of the function, which could not use it: pass it or remove it here',
      '"lines", column 1: the name "lines" is not known; known are rows, cols',
    ],
  ],
  [
    "all shapes held out",
    { ...good, shapes: [{ sizes: { rows: 1, cols: 1 }, heldOut: true }] },
    ["at least one shape that is not held out was expected: the agent is shown only those"],
  ],
  [
    "a price at other names than those of the shapes",
    { ...good, pricedAt: { rows: 4096, columns: 2 } },
    [
      "the size cols is missing: it has those of the shapes",
      "the size columns is not in the first shape: it has those of the shapes",
    ],
  ],
  [
    "a price beside weights",
    { ...good, shapes: [{ sizes: { rows: 1, cols: 1 }, weight: 3 }], pricedAt: { rows: 2, cols: 2 } },
    ["the shapes are recorded or have a weight, and what is priced is what was run: remove this entry"],
  ],
  [
    "shapes of different names",
    { ...good, shapes: [{ sizes: { rows: 1, cols: 1 } }, { sizes: { rows: 1, columns: 2 } }] },
    [
      "the size cols is missing: every shape has the same names as the first",
      "the size columns is not in the first shape: every shape has the same names",
    ],
  ],
  [
    "a recorded input without its recording",
    {
      ...good,
      inputs: { x: { dtype: "float32", shape: ["rows", "cols"], distribution: { kind: "recorded" } } },
      shapes: [
        { sizes: { rows: 3, cols: 31 }, recorded: { x: "0".repeat(64) } },
        { sizes: { rows: 4, cols: 32 } },
      ],
    },
    [
      'the recording of x is missing: under "recorded" the sha256 of the content of each input was expected whose distribution is "recorded". kernelwright capture PROGRAM writes it',
    ],
  ],
  [
    "CUDA with an entry in Python",
    { ...triton, kernel: "softmax.cu::k" },
    ["k is called by another language: a C++ function (FILE.cu::FUNCTION) was expected"],
  ],
  [
    "a field behind the end of its structure, and one of a buffer that is not there",
    {
      ...good,
      launch: {
        ...good.launch,
        arguments: [
          "x",
          "y",
          {
            byteLength: 12,
            fields: [
              { at: 0, buffer: "z" },
              { at: 8, value: "rows", dtype: "int64" },
            ],
          },
        ],
      },
    },
    [
      '"z" is neither an input nor an output: known are x, y',
      "the field at byte 8 has 8 bytes and goes beyond the 12 of the structure",
    ],
  ],
  [
    "addresses in the bytes of an entry, and a place in a buffer",
    {
      ...good,
      launch: undefined,
      entry: {
        call: "softmax.cu::run",
        arguments: [
          { buffer: "x", offset: "4 * rows" },
          { bytes: "00".repeat(16), pointers: [{ at: 8, buffer: "y", offset: 0 }] },
        ],
      },
    },
    [
      'a place inside of x cannot be passed to a function: pass "x" and let the function add the offset, or use "launch"',
      'a function is handed bytes as they stand, without addresses of buffers: pass the buffers as arguments of a function that fills the structure, or use "launch"',
    ],
  ],
  [
    "Triton with a launch",
    { ...good, kernel: "softmax.py::k" },
    [
      'a Triton kernel is launched by Python code: replace "launch" by "entry" with the function that launches it',
    ],
  ],
  [
    "expression missing",
    { ...good, reference: { expressions: { z: "x" } } },
    ['the expression for the output "y" is missing', '"z" is not an output; known are y'],
  ],
  [
    "too large",
    { ...good, shapes: [{ sizes: { rows: 100000, cols: 100000 } }] },
    [
      'x would have 10000000000 elements with {"rows":100000,"cols":100000}; at most 268435456 are checked',
      'y would have 10000000000 elements with {"rows":100000,"cols":100000}; at most 268435456 are checked',
    ],
  ],
])("meaning: %s", (_, content, expected) => {
  const text = JSON.stringify(content);
  expect(problemsOf(text).map((problem) => problem.replace(/^\d+:\d+ /, ""))).toEqual(expected);
  expect(fitsSchema(JSON.parse(text))).toBe(true);
});

test.each<[string, string, readonly string[]]>([
  [
    "empty",
    "",
    ["1:1 the file is empty: a kernel spec was expected. Use the command “Set Up Kernel” to begin one"],
  ],
  ["not an object", "[1]", ['1:1 a kernel spec (an object: { "version": 1, "kernel": … }) was expected']],
  ["unclosed", '{\n  "version": 1', ["2:15 the closing brace } is missing"]],
  [
    "comma missing",
    '{\n  "version": 1\n  "kernel": "a.cu::b" }',
    ["3:3 a comma was expected before the next entry"],
  ],
  ["a name twice", '{ "version": 1,\n  "version": 1 }', ['2:3 "version" stands here twice: remove one']],
])("place of a problem: %s", (_, text, expected) => {
  expect(problemsOf(text)).toEqual(expected);
});

test("a problem stands at the entry that has it, a missing one at the nearest entry around it", () => {
  const text = JSON.stringify({ ...good, reference: 1, inputs: { x: { dtype: "float32" } } }, null, 2);
  const lines = text.split("\n");
  expect(problemsOf(`// a comment\n${text}`)).toEqual([
    `${lines.findIndex((line) => line.includes('"x": {')) + 2}:10 "shape" is missing: an array of sizes, slowest dimension first was expected`,
    `${lines.findIndex((line) => line.includes('"reference"')) + 2}:16 "reference" must be "baseline", "FILE.py::FUNCTION" or { "expressions": { OUTPUT: "numpy expression" } }`,
  ]);
});

test("what is written is read back, with the unknowns as comments", () => {
  for (const content of [good, triton]) {
    const read = parseKernelSpec(JSON.stringify(content));
    if (!read.ok) throw new Error(JSON.stringify(read.problem));
    const text = writeKernelSpec(
      read.value,
      [
        { path: "inputs.x.dtype", sentence: "the dtype." },
        { path: "nowhere", sentence: "all else." },
      ],
      "./schema.json",
    );
    expect(text.match(/\/\/ unknown: .*/g)).toEqual(["// unknown: all else.", "// unknown: the dtype."]);
    expect(parseKernelSpec(text)).toEqual(read);
    expect(fitsSchema(parse(text))).toBe(true);
  }
});

test("the specs of the samples are valid", () => {
  const specs = readdirSync("samples").filter((name) => name.endsWith(".kernel.json"));
  expect(specs.length).toBeGreaterThan(0);
  for (const name of specs) {
    const text = readFileSync(`samples/${name}`, "utf8");
    expect([name, problemsOf(text)]).toEqual([name, []]);
    expect([name, fitsSchema(parse(text))]).toEqual([name, true]);
  }
});
