import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import {
  type CompileOptions,
  DeviceMemory,
  type LaunchOutcome,
  launch,
} from "../../../../server/core/vgpu/index";
import {
  type Tensor,
  address,
  bytesOf,
  casesFolder,
  compileText,
  describe,
  noise,
  numbers,
  tensor,
  worstError,
} from "../support";

let folder = "";
let text = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-vgpu-"));
  const output = join(folder, "wide.ptx");
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-o", output, join(casesFolder, "cuda-wide.cu")]);
  text = readFileSync(output, "utf8");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Launches one block whose arguments are all buffers. */
function start(
  entry: string,
  threads: number,
  buffers: readonly Uint8Array[],
  options?: CompileOptions,
): { outcome: LaunchOutcome; results: Uint8Array[] } {
  const memory = new DeviceMemory();
  const pointers = buffers.map((bytes, index) =>
    memory.allocate(`buffer ${index}`, bytes.length, { initial: bytes }),
  );
  const outcome = launch(compileText(text, entry, options), {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    arguments: pointers.map(address),
    memory,
    instructionBudget: 1e6,
  });
  return { outcome, results: pointers.map((pointer) => memory.read(pointer)) };
}

function execute(entry: string, threads: number, buffers: readonly Uint8Array[]): Uint8Array[] {
  const { outcome, results } = start(entry, threads, buffers);
  if (outcome.kind !== "completed") throw new Error(describe(outcome));
  return results;
}

/** 16 by 16 product; `transposed` says which operand lies column by column. */
function product(a: Tensor, b: Tensor, columnsOf: "a" | "b"): Float64Array {
  const at = (source: Tensor, row: number, column: number, byColumns: boolean): number =>
    source.values[byColumns ? 16 * column + row : 16 * row + column] ?? 0;
  return Float64Array.from({ length: 256 }, (_, index) => {
    let sum = 0;
    for (let k = 0; k < 16; k += 1)
      sum += at(a, index >> 4, k, columnsOf === "a") * at(b, k, index & 15, columnsOf === "b");
    return sum;
  });
}

suite("CUDA kernels with less common instructions", () => {
  it.each([
    ["wmma_row_col", "b"],
    ["wmma_col_row", "a"],
  ] as const)("multiplies fragments: %s", (entry, columnsOf) => {
    const next = noise(21);
    const [a, b, d] = [0, 1, 2].map(() => tensor("f16", 256, next)) as [Tensor, Tensor, Tensor];
    const [, , c, e] = execute(entry, 32, [a.bytes, b.bytes, new Uint8Array(1024), d.bytes]);
    const expected = product(a, b, columnsOf);
    expect(
      worstError(
        numbers("f32", c!),
        expected.map((value) => 2 * (value + 1)),
      ),
    ).toBeLessThan(1e-6);
    const stored = numbers("f16", e!);
    expect(
      worstError(
        Float64Array.from({ length: 256 }, (_, index) => stored[16 * (index & 15) + (index >> 4)] ?? 0),
        expected.map((value, index) => value + d.values[index]!),
      ),
    ).toBeLessThan(2e-3);
  });

  it("reduces in tiles of cooperative groups", () => {
    const values = Float32Array.from({ length: 64 }, (_, index) => index);
    const [, out] = execute("groups", 64, [bytesOf(values), new Uint8Array(32)]);
    expect([...numbers("f32", out!)]).toEqual(Array.from({ length: 8 }, (_, tile) => 8 * (8 * tile) + 28));
  });

  it("reduces in tiles of several warps", () => {
    const values = Int32Array.from({ length: 256 }, (_, index) => index);
    const expected = [...values].map((index) =>
      index < 128 ? 127 * 64 : 1000 + 10_000 + 127 * 64 + 128 * 128,
    );
    for (const watched of [false, true]) {
      const {
        outcome,
        results: [, out],
      } = start("wide_tiles", 256, [bytesOf(values), new Uint8Array(1024)], {
        counters: watched,
        detectors: watched,
      });
      expect(outcome).toMatchObject({ kind: "completed", findings: [] });
      expect([...numbers("i32", out!)]).toEqual(expected);
    }
  });

  it("copies asynchronously to shared memory", () => {
    const values = Float32Array.from({ length: 256 }, (_, index) => index);
    const [, out] = execute("copies", 64, [bytesOf(values), new Uint8Array(1024)]);
    expect([...numbers("f32", out!)]).toEqual(
      [...values].map((_, index) => 4 * (63 - (index >> 2)) + (index & 3)),
    );
  });

  it("adds halves atomically", () => {
    const [pair, single, brain] = execute("half_atomics", 64, [
      new Uint8Array(4),
      new Uint8Array(4),
      new Uint8Array(4),
    ]);
    expect([[...numbers("f16", pair!)], numbers("f16", single!)[0], numbers("bf16", brain!)[0]]).toEqual([
      [64, 32],
      16,
      64,
    ]);
  });

  it("counts predicates at barriers", () => {
    const values = Int32Array.from({ length: 96 }, (_, index) => (index % 3) - 1);
    const [, out] = execute("counted_barriers", 96, [bytesOf(values), new Uint8Array(384)]);
    expect(new Set(numbers("i32", out!))).toEqual(new Set([32 * 4 + 1]));
  });

  it("has a clock that runs", () => {
    const [out] = execute("timed", 64, [new Uint8Array(512)]);
    expect([...new BigInt64Array(out!.slice().buffer)].every((time) => time > 0n)).toBe(true);
  });

  it("stops at a failed assertion of the device", () => {
    const values = Int32Array.from({ length: 32 }, (_, index) => (index === 5 ? -1 : index));
    expect(start("asserted", 32, [bytesOf(values), new Uint8Array(128)]).outcome).toMatchObject({
      kind: "fault",
      finding: {
        kind: "trap",
        message: expect.stringMatching(
          /^assertion failed: in\[threadIdx\.x\] >= 0 in void asserted\(const int \*, int \*\) at .*cuda-wide\.cu:67, by thread \(5,0,0\) of block \(0,0,0\)$/,
        ) as string,
        thread: [5, 0, 0],
      },
    });
    const [, out] = execute("asserted", 32, [bytesOf(values.map(Math.abs)), new Uint8Array(128)]);
    expect([...numbers("i32", out!)]).toEqual([...values.map(Math.abs)]);
  });

  it("computes functions of halves", () => {
    const x = tensor(
      "f16",
      64,
      (
        (next) => () =>
          4 * Math.abs(next())
      )(noise(22)),
    );
    const [, out] = execute("half_math", 32, [x.bytes, new Uint8Array(384)]);
    const actual = numbers("f16", out!);
    expect(
      worstError(
        actual.subarray(0, 64),
        x.values.map((value) => 2 ** value),
      ),
    ).toBeLessThan(1e-3);
    expect(worstError(actual.subarray(64, 128), x.values.map(Math.sqrt))).toBeLessThan(1e-3);
    expect(
      worstError(
        actual.subarray(128),
        x.values.map((value, index) => value / (index % 2 ? 7 : 3)),
      ),
    ).toBeLessThan(1e-3);
  });
});
