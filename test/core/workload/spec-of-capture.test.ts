import { expect, test } from "vitest";
import type { CapturedBuffer, CapturedLaunch } from "../../../server/core/workload/capture/captured";
import { specOfCapture } from "../../../server/core/workload/capture/spec-of-capture";

const words = (...values: readonly number[]): Uint8Array => new Uint8Array(new Float32Array(values).buffer);

/** An address among the arguments is told from its place; its bytes say nothing. */
const addresses = new Uint8Array(24);

function launchWith(buffers: readonly CapturedBuffer[]): CapturedLaunch {
  return {
    ...{ kernel: "melt", grid: [1, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0, parameters: addresses },
    layout: buffers.map((_, index) => ({ offset: 8 * index, size: 8 })),
    pointers: buffers.map((_, index) => ({ at: 8 * index, buffer: index, offset: 0 })),
    ...{ buffers, variables: [], count: 1, where: "", triton: false, warpInstructions: 0 },
  };
}

const buffer = (before: Uint8Array, more: Partial<CapturedBuffer> = {}): CapturedBuffer => ({
  ...{ before, after: undefined, untouched: false, addresses: 0, stored: false },
  ...more,
});

interface Case {
  readonly name: string;
  readonly runoff: CapturedBuffer;
  readonly snow: CapturedBuffer;
  readonly isConst?: boolean;
  /** The kernel's text stores to the snow. */
  readonly stores?: boolean;
  readonly outputs: readonly string[];
}

const rain = buffer(words(1, 2));
const filled = buffer(words(0, 0), { after: words(3, 4), untouched: true });

const cases: readonly Case[] = [
  {
    name: "zeros written on memory that nobody had written are an output",
    ...{ runoff: filled, snow: buffer(words(0, 0), { untouched: true }), outputs: ["runoff", "snow"] },
  },
  {
    name: "what the program had filled, and no launch changed, is an input",
    ...{ runoff: filled, snow: buffer(words(5, 6)), outputs: ["runoff"] },
  },
  {
    name: "what launches store to is an output, where that changed nothing too",
    ...{ runoff: filled, snow: buffer(words(0, 0), { stored: true }), outputs: ["runoff", "snow"] },
  },
  {
    name: "what the kernel's text stores to is an output, where none of the launches has done so",
    ...{ runoff: filled, snow: buffer(words(5, 6)), stores: true, outputs: ["runoff", "snow"] },
  },
  {
    name: "what may only be read is an input, whoever wrote it",
    ...{ runoff: filled, snow: buffer(words(0, 0), { untouched: true }), isConst: true, outputs: ["runoff"] },
  },
  {
    name: "where nothing changed all that may be written is an output",
    ...{ runoff: buffer(words(3, 4)), snow: buffer(words(5, 6)), outputs: ["runoff", "snow"] },
  },
];

function check({ runoff, snow, isConst = false, stores = false, outputs }: Case): void {
  const found = specOfCapture(
    {
      ...{ file: "melt.cu", kernel: "melt", dialect: "cuda", instance: [] },
      parameters: [
        { name: "rain", pointer: true, readOnly: true, stores: false, dtype: "float32" },
        { name: "runoff", pointer: true, readOnly: false, stores: true, dtype: "float32" },
        { name: "snow", pointer: true, readOnly: isConst, stores, dtype: "float32" },
      ],
      program: { file: "melt.cu", arguments: [], compileOptions: [] },
      launches: [launchWith([rain, runoff, snow])],
    },
    (bytes) => bytes.join(),
  );
  expect(found.ok ? Object.keys(found.value.spec.outputs) : found.problem).toEqual(outputs);
}

test.each(cases)("$name", (each) => {
  check(each);
});
