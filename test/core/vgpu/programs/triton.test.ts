import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import type { CompiledKernel } from "../../../../server/core/vgpu/index";
import {
  type Format,
  type Tensor,
  address,
  casesFolder,
  compileText,
  float,
  integer,
  noise,
  numbers,
  run,
  tensor,
  worstError,
} from "../support";

interface Facts {
  readonly entry: string;
  readonly warps: number;
  readonly sharedBytes: number;
}

const committed = join(casesFolder, "triton", "captured");
/** Where the code under test lies: as committed, or just emitted by the Triton that is installed. */
let folder = committed;

/** Code that Triton emitted for sm_80 (see test/cases/vgpu/triton/capture.py), compiled by us. */
function captured(name: string): { kernel: CompiledKernel; facts: Facts } {
  const facts = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Facts;
  return { facts, kernel: compileText(readFileSync(join(folder, `${name}.ptx`), "utf8"), facts.entry) };
}

interface Launch {
  readonly grid: readonly [number, number, number];
  readonly inputs: readonly Tensor[];
  readonly output: {
    readonly format: Format;
    readonly count: number;
    readonly first?: boolean;
    readonly initial?: Uint8Array;
  };
  readonly scalars: readonly ReturnType<typeof integer>[];
}

const elementBytes: Readonly<Record<Format, number>> = { f32: 4, i32: 4, f16: 2, bf16: 2, i8: 1 };

/**
 * Runs a captured kernel; pointers come first (the output last unless `first`), then scalars, then Triton's
 * two scratch pointers.
 */
function execute(name: string, { grid, inputs, output, scalars }: Launch): Float64Array {
  const { kernel, facts } = captured(name);
  const memory = new DeviceMemory();
  const bytes = output.count * elementBytes[output.format];
  const initial = output.initial ? { initial: output.initial } : {};
  const given = inputs.map((input, index) =>
    memory.allocate(`input ${index}`, input.bytes.length, { initial: input.bytes, readOnly: true }),
  );
  const result = memory.allocate("output", bytes, initial);
  const pointers = output.first ? [result, ...given] : [...given, result];
  const values = [...pointers.map(address), ...scalars];
  const scratch = Array.from({ length: kernel.parameters.length - values.length }, () => address(0n));
  run(kernel, {
    grid,
    block: [32 * facts.warps, 1, 1],
    dynamicSharedBytes: facts.sharedBytes,
    arguments: [...values, ...scratch],
    memory,
  });
  return numbers(output.format, memory.read(result));
}

function checkAdd(name: string, format: Format, tolerance: number): void {
  const count = 5000;
  const next = noise(1);
  const [x, y] = [tensor(format, count, next), tensor(format, count, next)];
  const actual = execute(name, {
    grid: [Math.ceil(count / 1024), 1, 1],
    inputs: [x, y],
    output: { format, count },
    scalars: [integer(count)],
  });
  expect(
    worstError(
      actual,
      x.values.map((value, index) => value + (y.values[index] ?? 0)),
    ),
  ).toBeLessThanOrEqual(tolerance);
}

function checkSoftmax(name: string, format: Format, columns: number, tolerance: number): void {
  const rows = 7;
  const next = noise(2);
  const x = tensor(format, rows * columns, () => 8 * next());
  const actual = execute(name, {
    grid: [rows, 1, 1],
    inputs: [x],
    output: { format, count: rows * columns, first: true },
    scalars: [columns, columns, columns].map(integer),
  });
  const expected = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const values = x.values.subarray(row * columns, (row + 1) * columns);
    const most = Math.max(...values);
    const sum = values.reduce((total, value) => total + Math.exp(value - most), 0);
    values.forEach((value, column) => {
      expected[row * columns + column] = Math.exp(value - most) / sum;
    });
  }
  expect(worstError(actual, expected)).toBeLessThanOrEqual(tolerance);
}

interface Product {
  readonly input: Format;
  readonly output: Format;
  readonly block: readonly [number, number];
  readonly sizes: readonly [number, number, number];
  readonly tolerance: number;
  readonly scale: number;
}

function checkMatmul(
  name: string,
  { input, output, block, sizes: [m, n, k], tolerance, scale }: Product,
): void {
  const next = noise(3);
  const [a, b] = [tensor(input, m * k, () => scale * next()), tensor(input, k * n, () => scale * next())];
  const actual = execute(name, {
    grid: [Math.ceil(m / block[0]), Math.ceil(n / block[1]), 1],
    inputs: [a, b],
    output: { format: output, count: m * n },
    scalars: [m, n, k, k, n, n].map(integer),
  });
  const expected = new Float64Array(m * n);
  for (let row = 0; row < m; row += 1) {
    for (let column = 0; column < n; column += 1) {
      let sum = 0;
      for (let inner = 0; inner < k; inner += 1)
        sum += (a.values[row * k + inner] ?? 0) * (b.values[inner * n + column] ?? 0);
      expected[row * n + column] = sum;
    }
  }
  expect(worstError(actual, expected)).toBeLessThanOrEqual(tolerance);
}

const python = process.env["KERNELWRIGHT_PYTHON"];

suite.each(["committed", ...(python ? ["emitted now"] : [])])("Triton kernels for sm_80, %s", (source) => {
  beforeAll(() => {
    if (source === "committed" || !python) return;
    folder = mkdtempSync(join(tmpdir(), "kernelwright-triton-"));
    const environment = {
      ...process.env,
      TRITON_CACHE_DIR: join(folder, "cache"),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    execFileSync(python, [join(casesFolder, "triton", "capture.py"), folder], { env: environment });
  });

  afterAll(() => {
    if (folder !== committed) rmSync(folder, { recursive: true, force: true });
    folder = committed;
  });

  it("adds vectors in single, half and bfloat precision", () => {
    checkAdd("add_f32", "f32", 1e-7);
    checkAdd("add_f16", "f16", 1e-3);
    checkAdd("add_bf16", "bf16", 8e-3);
  });

  it("computes softmax rows", () => {
    checkSoftmax("softmax_f32", "f32", 1000, 1e-6);
    checkSoftmax("softmax_f16", "f16", 240, 1e-3);
  });

  it("multiplies matrices on the tensor cores", () => {
    checkMatmul("matmul_f16", {
      input: "f16",
      output: "f32",
      block: [64, 64],
      sizes: [96, 80, 112],
      tolerance: 1e-5,
      scale: 1,
    });
    checkMatmul("matmul_bf16", {
      input: "bf16",
      output: "bf16",
      block: [32, 64],
      sizes: [64, 64, 96],
      tolerance: 1e-2,
      scale: 1,
    });
    checkMatmul("matmul_tf32", {
      input: "f32",
      output: "f32",
      block: [32, 32],
      sizes: [48, 64, 64],
      tolerance: 3e-3,
      scale: 1,
    });
    checkMatmul("matmul_i8", {
      input: "i8",
      output: "i32",
      block: [32, 32],
      sizes: [64, 32, 64],
      tolerance: 0,
      scale: 127,
    });
  });

  it("normalizes layers", () => {
    const [rows, columns] = [5, 1200];
    const next = noise(4);
    const [x, weight, bias] = [
      tensor("f16", rows * columns, next),
      tensor("f16", columns, next),
      tensor("f16", columns, next),
    ];
    const actual = execute("layer_norm_f16", {
      grid: [rows, 1, 1],
      inputs: [x, weight, bias],
      output: { format: "f16", count: rows * columns },
      scalars: [integer(columns), integer(columns), float(1e-5)],
    });
    const expected = x.values.map((value, index) => {
      const row = x.values.subarray(
        Math.floor(index / columns) * columns,
        (Math.floor(index / columns) + 1) * columns,
      );
      const mean = row.reduce((sum, entry) => sum + entry, 0) / columns;
      const variance = row.reduce((sum, entry) => sum + (entry - mean) ** 2, 0) / columns;
      return (
        ((value - mean) / Math.sqrt(variance + 1e-5)) * (weight.values[index % columns] ?? 0) +
        (bias.values[index % columns] ?? 0)
      );
    });
    expect(worstError(actual, expected)).toBeLessThanOrEqual(2e-3);
  });

  it("computes attention", () => {
    const [length, width] = [100, 32];
    const next = noise(5);
    const [q, k, v] = [0, 1, 2].map(() => tensor("f16", length * width, next)) as [Tensor, Tensor, Tensor];
    const actual = execute("attention_f16", {
      grid: [2, 1, 1],
      inputs: [q, k, v],
      output: { format: "f16", count: length * width },
      scalars: [integer(length), float(0.2)],
    });
    const at = (source: Tensor, row: number, column: number): number =>
      source.values[row * width + column] ?? 0;
    const expected = new Float64Array(length * width);
    for (let row = 0; row < length; row += 1) {
      const scores = Array.from(
        { length },
        (_, other) =>
          Array.from(
            { length: width },
            (_unused, column) => at(q, row, column) * at(k, other, column),
          ).reduce((sum, value) => sum + value) * 0.2,
      );
      const weights = scores.map((score) => Math.exp(score - Math.max(...scores)));
      const total = weights.reduce((sum, value) => sum + value);
      for (let column = 0; column < width; column += 1) {
        expected[row * width + column] =
          weights.reduce((sum, weight, other) => sum + weight * at(v, other, column), 0) / total;
      }
    }
    expect(worstError(actual, expected)).toBeLessThanOrEqual(2e-3);
  });

  it("counts with atomics", () => {
    const count = 3000;
    const next = noise(6);
    const x = tensor("i32", count, () => Math.abs(10 * next()));
    const actual = execute("histogram", {
      grid: [Math.ceil(count / 512), 1, 1],
      inputs: [x],
      output: { format: "i32", count: 16, initial: new Uint8Array(64) },
      scalars: [integer(count)],
    });
    const expected = new Float64Array(16);
    x.values.forEach((value) => {
      expected[value] = (expected[value] ?? 0) + 1;
    });
    expect([...actual]).toEqual([...expected]);
  });

  it("computes gelu with the error function", () => {
    const x = tensor(
      "f16",
      1000,
      (
        (next) => () =>
          4 * next()
      )(noise(7)),
    );
    const actual = execute("gelu_f16", {
      grid: [2, 1, 1],
      inputs: [x],
      output: { format: "f16", count: 1000 },
      scalars: [integer(1000)],
    });
    const erf = (z: number): number => {
      let [term, sum] = [z, z];
      for (let n = 1; n < 80; n += 1) {
        term *= (-z * z) / n;
        sum += term / (2 * n + 1);
      }
      return (2 / Math.sqrt(Math.PI)) * sum;
    };
    expect(
      worstError(
        actual,
        x.values.map((value) => 0.5 * value * (1 + erf(value / Math.SQRT2))),
      ),
    ).toBeLessThanOrEqual(1e-3);
  });
});
