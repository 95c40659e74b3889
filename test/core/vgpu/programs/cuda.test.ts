import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import { DeviceMemory, type KernelArgument, type LaunchRequest } from "../../../../server/core/vgpu/index";
import {
  address,
  bytesOf,
  casesFolder,
  compileText,
  halfValue,
  integer,
  noise,
  numbers,
  run,
  tensor,
  worstError,
} from "../support";
import { integersReference } from "./cuda-references";

let folder = "";
let text = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-vgpu-"));
  const output = join(folder, "basics.ptx");
  execFileSync("nvcc", [
    "-ptx",
    "-arch=sm_80",
    "-lineinfo",
    "-o",
    output,
    join(casesFolder, "cuda-basics.cu"),
  ]);
  text = readFileSync(output, "utf8");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Data = Float32Array | Float64Array | Int32Array | Uint32Array | Int8Array | Uint16Array | BigInt64Array;

interface Call {
  readonly grid: LaunchRequest["grid"];
  readonly block: LaunchRequest["block"];
  readonly inputs: readonly Data[];
  /** Outputs with their contents at the start. */
  readonly outputs: readonly Data[];
  readonly scalars?: readonly KernelArgument[];
  readonly shared?: number;
}

/**
 * Runs a kernel whose parameters are inputs, outputs, scalars; with counters and detectors on, which must
 * change nothing.
 */
function execute(entry: string, call: Call): Uint8Array[] {
  const results = [false, true].map((watched) => {
    const memory = new DeviceMemory();
    const inputs = call.inputs.map((data, index) =>
      memory.allocate(`input ${index}`, data.byteLength, { initial: bytesOf(data), readOnly: true }),
    );
    const outputs = call.outputs.map((data, index) =>
      memory.allocate(`output ${index}`, data.byteLength, { initial: bytesOf(data) }),
    );
    const outcome = run(compileText(text, entry, { counters: watched, detectors: watched }), {
      grid: call.grid,
      block: call.block,
      dynamicSharedBytes: call.shared ?? 0,
      memory,
      arguments: [...[...inputs, ...outputs].map(address), ...(call.scalars ?? [])],
    });
    expect(outcome.findings).toEqual([]);
    expect(memory.damagedGuards()).toEqual([]);
    return outputs.map((output) => memory.read(output));
  });
  expect(results[1]).toEqual(results[0]);
  return results[0] ?? [];
}

const singles = (count: number, seed: number, scale = 1): Float32Array => {
  const next = noise(seed);
  return Float32Array.from({ length: count }, () => scale * next());
};

suite("CUDA kernels compiled by nvcc", () => {
  it("adds vectors", () => {
    const [a, b] = [singles(1000, 1), singles(1000, 2)];
    const [c] = execute("vector_add", {
      grid: [4, 1, 1],
      block: [256, 1, 1],
      inputs: [a, b],
      outputs: [new Float32Array(1000)],
      scalars: [integer(1000)],
    });
    expect([...numbers("f32", c!)]).toEqual([...a.map((value, index) => value + b[index]!)]);
  });

  it("reduces rows in blocks for softmax", () => {
    const [rows, columns] = [3, 700];
    const x = singles(rows * columns, 3, 6);
    const [y] = execute("softmax_rows", {
      grid: [rows, 1, 1],
      block: [256, 1, 1],
      inputs: [x],
      outputs: [new Float32Array(x.length)],
      scalars: [integer(columns)],
    });
    const expected = x.map((value, index) => {
      const row = x.subarray(
        Math.floor(index / columns) * columns,
        (Math.floor(index / columns) + 1) * columns,
      );
      const most = Math.max(...row);
      return Math.exp(value - most) / row.reduce((sum, entry) => sum + Math.exp(entry - most), 0);
    });
    expect(worstError(numbers("f32", y!), expected)).toBeLessThan(1e-6);
  });

  it("transposes through padded shared memory", () => {
    const n = 96;
    const x = singles(n * n, 4);
    const [y] = execute("transpose_padded", {
      grid: [3, 3, 1],
      block: [32, 8, 1],
      inputs: [x],
      outputs: [new Float32Array(n * n)],
      scalars: [integer(n)],
    });
    expect([...numbers("f32", y!)]).toEqual([
      ...x.map((_, index) => x[(index % n) * n + Math.floor(index / n)]!),
    ]);
  });

  it("multiplies matrices in shared tiles with fused arithmetic", () => {
    const n = 64;
    const [a, b] = [singles(n * n, 5), singles(n * n, 6)];
    const [c] = execute("matmul_16", {
      grid: [4, 4, 1],
      block: [16, 16, 1],
      inputs: [a, b],
      outputs: [new Float32Array(n * n)],
      scalars: [integer(n)],
    });
    const expected = Float64Array.from({ length: n * n }, (_, index) => {
      let sum = 0;
      for (let k = 0; k < n; k += 1) sum += a[Math.floor(index / n) * n + k]! * b[k * n + (index % n)]!;
      return sum;
    });
    expect(worstError(numbers("f32", c!), expected)).toBeLessThan(2e-6);
  });

  it("lets lanes diverge in loops and return early", () => {
    const values = Uint32Array.from({ length: 300 }, (_, index) => index + 1);
    const [out] = execute("collatz", {
      grid: [3, 1, 1],
      block: [128, 1, 1],
      inputs: [values],
      outputs: [new Uint32Array(300)],
      scalars: [integer(300)],
    });
    const steps = (start: number): number => {
      let [value, count] = [start, 0];
      for (; value !== 1; count += 1) value = value % 2 ? 3 * value + 1 : value / 2;
      return count;
    };
    expect([...numbers("i32", out!)]).toEqual([...values].map(steps));
  });

  it("scans with dynamic shared memory and many barriers", () => {
    const values = Int32Array.from({ length: 500 }, (_, index) => (index * 7) % 13);
    const [out] = execute("block_scan", {
      grid: [3, 1, 1],
      block: [192, 1, 1],
      inputs: [values],
      outputs: [new Int32Array(500)],
      scalars: [integer(500)],
      shared: 768,
    });
    let sum = 0;
    expect([...numbers("i32", out!)]).toEqual(
      [...values].map((value, index) => {
        sum = index % 192 === 0 ? value : sum + value;
        return sum;
      }),
    );
  });

  it("adds, compares and exchanges atomically", () => {
    const values = Int32Array.from({ length: 400 }, (_, index) => (index * 37) % 101);
    const [counts, total, wide] = execute("atomics", {
      grid: [4, 1, 1],
      block: [128, 1, 1],
      inputs: [values],
      outputs: [new Int32Array(18), new Float32Array(1), new BigInt64Array(1)],
      scalars: [integer(400)],
    });
    const expected = Array.from(
      { length: 16 },
      (_, bin) => values.filter((value) => (value & 15) === bin).length,
    );
    expect([...numbers("i32", counts!)]).toEqual([...expected, 77, -100]);
    expect(numbers("f32", total!)[0]).toBe(0.25 * values.reduce((sum, value) => sum + value, 0));
    expect(new DataView(wide!.buffer).getBigUint64(0, true)).toBe(100n << 33n);
  });

  it("computes in packed half and bfloat precision", () => {
    const n = 100;
    const [a, b, d] = [
      tensor("f16", 2 * n, noise(8)),
      tensor("f16", 2 * n, noise(9)),
      tensor("bf16", n, noise(10)),
    ];
    const words = (bytes: Uint8Array): Uint16Array => new Uint16Array(bytes.slice().buffer);
    const memory = new DeviceMemory();
    const [pa, pb, pd] = [a, b, d].map(({ bytes }) =>
      memory.allocate("in", bytes.length, { initial: bytes }),
    ) as [bigint, bigint, bigint];
    const [pc, pe] = [memory.allocate("c", 4 * n), memory.allocate("e", 2 * n)];
    run(compileText(text, "halves"), {
      grid: [1, 1, 1],
      block: [128, 1, 1],
      memory,
      arguments: [address(pa), address(pb), address(pc), address(pd), address(pe), integer(n)],
    });
    const c = Float64Array.from(words(memory.read(pc)), (bits) => halfValue(bits, "f16"));
    expect(
      worstError(
        c,
        a.values.map((x, index) => x * b.values[index]! + Math.max(x, b.values[index]!)),
      ),
    ).toBeLessThan(5e-4);
    const e = Float64Array.from(words(memory.read(pe)), (bits) => halfValue(bits, "bf16"));
    expect(
      worstError(
        e,
        d.values.map((x) => 0.5 * x),
      ),
    ).toBeLessThan(4e-3);
  });

  it("reads structures, constants and device variables", () => {
    const n = 40;
    const data = new Float32Array(4 * n);
    const kinds = new Int32Array(data.buffer);
    for (let index = 0; index < n; index += 1) {
      data.set([index, index + 0.5, -index], 4 * index);
      kinds[4 * index + 3] = index;
    }
    const [out, packed] = execute("structures", {
      grid: [1, 1, 1],
      block: [64, 1, 1],
      inputs: [data],
      outputs: [new Float32Array(4 * n), new Float32Array(4 * n)],
      scalars: [integer(n)],
    });
    const weights = [0.5, 1, 2, 4];
    const [floats, words, rest] = [numbers("f32", out!), numbers("i32", out!), numbers("f32", packed!)];
    for (let index = 0; index < n; index += 1) {
      const weight = weights[index & 3]!;
      expect([...floats.subarray(4 * index, 4 * index + 3), words[4 * index + 3]]).toEqual([
        index * weight,
        (index + 0.5) * weight,
        -index * weight,
        index + 5,
      ]);
      expect([...rest.subarray(4 * index, 4 * index + 4)]).toEqual([index, index + 0.5, -index, weight]);
    }
  });

  it("computes elementary functions of single precision", () => {
    const n = 200;
    const x = singles(n, 11, 5);
    const [out] = execute("math", {
      grid: [1, 1, 1],
      block: [256, 1, 1],
      inputs: [x],
      outputs: [new Float32Array(10 * n)],
      scalars: [integer(n)],
    });
    const erf = (z: number): number => {
      let [term, sum] = [z, z];
      for (let k = 1; k < 150; k += 1) {
        term *= (-z * z) / k;
        sum += term / (2 * k + 1);
      }
      return (2 / Math.sqrt(Math.PI)) * sum;
    };
    const functions: ((value: number) => number)[] = [
      Math.sin,
      (v) => Math.cos(Math.fround(v * 100000)),
      Math.exp,
      (v) => Math.log(Math.fround(Math.abs(v) + Math.fround(0.001))),
      (v) => Math.abs(v) ** Math.fround(1.7),
      Math.tanh,
      erf,
      (v) => 1 / Math.sqrt(Math.abs(v) + 1),
      (v) => v % Math.fround(0.7),
      (v) => Math.atan2(v, 2),
    ];
    const actual = numbers("f32", out!);
    functions.forEach((evaluate, row) => {
      expect([
        row,
        worstError(actual.subarray(row * n, (row + 1) * n), Float64Array.from(x, evaluate)) < 2e-6,
      ]).toEqual([row, true]);
    });
  });

  it("computes in double precision", () => {
    const n = 64;
    const next = noise(12);
    const [a, b] = [0, 1].map(() => Float64Array.from({ length: n }, () => 4 * next())) as [
      Float64Array,
      Float64Array,
    ];
    const [out] = execute("doubles", {
      grid: [1, 1, 1],
      block: [64, 1, 1],
      inputs: [a, b],
      outputs: [new Float64Array(5 * n)],
      scalars: [integer(n)],
    });
    const c = new Float64Array(out!.slice().buffer);
    const expected = [
      a.map((x, i) => x * b[i]! + x),
      a.map((x, i) => x / b[i]!),
      a.map((x) => Math.sqrt(Math.abs(x))),
      a.map((x) => Math.exp(x)),
      b.map((x) => Math.sin(x)),
    ];
    expected.forEach((values, row) =>
      expect(worstError(c.subarray(row * n, (row + 1) * n), values)).toBeLessThan(1e-15),
    );
  });

  it("indexes local arrays and computes with 8, 16 and 64 bits", () => {
    const n = 70;
    const bytes = Int8Array.from({ length: n }, (_, index) => ((index * 57) % 256) - 128);
    const words = Uint16Array.from({ length: n }, (_, index) => (index * 977) % 65536);
    const [out] = execute("integers", {
      grid: [1, 1, 1],
      block: [96, 1, 1],
      inputs: [bytes, words],
      outputs: [new BigInt64Array(n)],
      scalars: [integer(n)],
    });
    const expected = Array.from({ length: n }, (_, i) => integersReference(bytes, words, i));
    expect([...new BigInt64Array(out!.slice().buffer)]).toEqual(expected);
  });

  it("calls device functions and switches", () => {
    const n = 100;
    const x = singles(n, 13);
    const [out] = execute("calls", {
      grid: [1, 1, 1],
      block: [128, 1, 1],
      inputs: [x],
      outputs: [new Float32Array(n)],
      scalars: [integer(n)],
    });
    const helper = (value: number, depth: number): number => value * depth + 1;
    const expected = x.map((value, i) => {
      const v = helper(value, i & 3);
      return [v + 1, v * 2, v - 3, helper(v, 5), -v, v * v, 0, 0][i & 7]!;
    });
    expect(worstError(numbers("f32", out!), expected)).toBeLessThan(1e-6);
  });

  it("votes, matches, reduces and shuffles in parts of a warp", () => {
    const values = Int32Array.from({ length: 32 }, (_, index) => (index * 5) % 8);
    const [out] = execute("votes", {
      grid: [1, 1, 1],
      block: [32, 1, 1],
      inputs: [values],
      outputs: [new Uint32Array(224)],
    });
    const words = new Uint32Array(out!.slice().buffer);
    const mask = (test: (value: number) => boolean): number =>
      values.reduce((bits, value, lane) => (test(value) ? bits | (1 << lane) : bits), 0) >>> 0;
    const expected = [
      ...values.map(() => mask((value) => value > 3) | 0),
      ...values.map((own) => mask((value) => value === own) | 0),
      ...values.map(() => 0),
      ...values.map(() => values.reduce((sum, value) => sum + value)),
      ...values.map(() => 7),
      ...values.map(() => 3),
      ...values.map((_, lane) => (lane & 1 ? (0xaaaaaaaa + values[lane ^ 2]!) | 0 : values[4]!)),
    ];
    expect([...words].map((word) => word | 0)).toEqual(expected);
  });
});
