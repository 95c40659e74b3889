import { expect, test } from "vitest";
import { furtherShapes, longShapes } from "../../../server/core/workload/cases/further-shapes";
import { longDimensions, scalarShapes } from "../../../server/core/workload/cases/beyond-shapes";
import type { ShapeCase } from "../../../server/core/workload/spec";

const cases: readonly {
  readonly name: string;
  readonly shapes: readonly ShapeCase[];
  readonly further: readonly (readonly object[])[];
}[] = [
  {
    name: "one size grows odd, else even, then even and no power of two, and behind sixteen bits",
    shapes: [{ sizes: { n: 16384 } }, { sizes: { n: 33 } }],
    further: [[{ n: 32769 }, { n: 32768 }, { n: 32768 }], [{ n: 32770 }], [{ n: 65603 }, { n: 131072 }]],
  },
  {
    name: "several sizes grow together, and a large one alone beside the smallest of the others",
    shapes: [{ sizes: { rows: 64, columns: 8000 } }, { sizes: { rows: 3, columns: 31 }, heldOut: true }],
    further: [
      [
        { rows: 129, columns: 16001 },
        { rows: 128, columns: 16000 },
        { rows: 128, columns: 8000 },
      ],
      [{ rows: 130, columns: 16002 }],
      [
        { rows: 64, columns: 8192 },
        { rows: 64, columns: 4096 },
        { rows: 64, columns: 4096 },
      ],
      [
        { rows: 3, columns: 65603 },
        { rows: 3, columns: 131072 },
      ],
    ],
  },
  {
    name: "powers of two where none is listed, with a size that never varies as it is",
    shapes: [{ sizes: { rows: 100, channels: 3 } }, { sizes: { rows: 33, channels: 3 } }],
    further: [
      [
        { rows: 201, channels: 7 },
        { rows: 200, channels: 6 },
        { rows: 200, channels: 3 },
      ],
      [{ rows: 202, channels: 10 }],
      [
        { rows: 128, channels: 4 },
        { rows: 64, channels: 2 },
        { rows: 64, channels: 3 },
      ],
    ],
  },
  { name: "a shape without sizes stays alone", shapes: [{ sizes: {} }], further: [] },
  {
    name: "recorded contents have their sizes",
    shapes: [{ sizes: { n: 8 }, recorded: { x: "00" } }],
    further: [],
  },
];

for (const { name, shapes, further } of cases)
  test(name, () => {
    expect(furtherShapes({ shapes }).map((group) => group.map(({ sizes }) => sizes))).toEqual(further);
  });

test("rows of many numbers beside the smallest of the other sizes", () => {
  const shapes = [{ sizes: { rows: 64, columns: 300 } }, { sizes: { rows: 9, columns: 70 } }];
  const inputs = { x: { dtype: "float32", shape: ["rows", "columns"] } } as const;
  const long = [{ sizes: { rows: 9, columns: 65603 } }, { sizes: { rows: 9, columns: 65536 } }];
  expect(longShapes({ inputs, shapes })).toEqual(long);
  expect(longShapes({ inputs: { x: { dtype: "float32", shape: ["rows", 8] } }, shapes })).toEqual([]);
});

/** A queue of n numbers that takes k new ones, so many steps long; the block is the same each time. */
const queue = {
  run: {
    kind: "entry",
    entry: {
      call: "kernel.cu::shifted",
      arguments: [
        "queue",
        { value: "n", dtype: "int32" },
        { value: "steps", dtype: "int32" },
        { value: "block", dtype: "int32" },
      ],
    },
  },
  inputs: {
    queue: { dtype: "float32", shape: ["n"] },
    fresh: { dtype: "float32", shape: ["k", "width"] },
  },
  outputs: { queue: { dtype: "float32", shape: ["n"] } },
} as const;
const queueShapes = [
  { sizes: { n: 900, k: 60, width: 40 }, values: { steps: 7, block: 64 } },
  { sizes: { n: 50, k: 9, width: 8 }, values: { steps: 1, block: 64 } },
];

test("whole numbers that are no sizes are nothing, one, and more than any size", () => {
  const made = scalarShapes({ ...queue, shapes: queueShapes });
  expect(made.map((group) => group.map(({ values }) => values))).toEqual([
    [{ steps: 0, block: 64 }],
    [{ steps: 103, block: 64 }],
  ]);
  const recorded = queueShapes.map((shape) => ({ ...shape, recorded: { queue: "00" } }));
  expect(scalarShapes({ ...queue, shapes: recorded })).toEqual([]);
});

test("each size but the length of rows is alone behind sixteen bits with a sign, beside ever smaller ones", () => {
  const made = longDimensions({ ...queue, shapes: queueShapes });
  expect(made.map((group) => group.map(({ sizes }) => sizes))).toEqual([
    [{ n: 32771, k: 5, width: 5 }],
    [{ n: 5, k: 32771, width: 5 }],
  ]);
  const small = [{ sizes: { n: 2, k: 9, width: 3 } }, { sizes: { n: 2, k: 4, width: 3 } }];
  const ofSmall = longDimensions({ ...queue, shapes: small });
  expect(ofSmall.map((group) => group.map(({ sizes }) => sizes))).toEqual([[{ n: 2, k: 32771, width: 3 }]]);
});
