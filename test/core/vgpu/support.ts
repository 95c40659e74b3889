import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CompiledKernel,
  type CompileOptions,
  type KernelArgument,
  type LaunchOutcome,
  type LaunchRequest,
  compileKernel,
  launch,
  parsePtx,
} from "../../../server/core/vgpu/index";

export const casesFolder = join(import.meta.dirname, "../../cases/vgpu");

/** Compiles one entry; a refusal or a syntax error fails the test with its text. */
export function compileText(
  text: string,
  entry: string,
  options: Partial<CompileOptions> = {},
): CompiledKernel {
  const parsed = parsePtx(text);
  if (!parsed.ok) throw new Error(`PTX line ${parsed.problem.line}: ${parsed.problem.message}`);
  const compiled = compileKernel(parsed.value, entry, { counters: false, detectors: false, ...options });
  if (!compiled.ok)
    throw new Error(
      `${compiled.problem.reason} (${compiled.problem.file ?? "?"}:${compiled.problem.line ?? 0})`,
    );
  return compiled.value;
}

export function readCase(...path: string[]): string {
  return readFileSync(join(casesFolder, ...path), "utf8");
}

export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

export const address = (value: bigint): KernelArgument => ({ kind: "address", value });
export const integer = (value: number | bigint): KernelArgument => ({ kind: "integer", value });
export const float = (value: number): KernelArgument => ({ kind: "float", value });

/** Launches with sensible defaults and fails the test unless the kernel completes. */
export function run(
  kernel: CompiledKernel,
  request: Pick<LaunchRequest, "grid" | "block" | "arguments" | "memory"> & Partial<LaunchRequest>,
): Extract<LaunchOutcome, { kind: "completed" }> {
  const outcome = launch(kernel, { dynamicSharedBytes: 0, instructionBudget: 1e9, ...request });
  if (outcome.kind !== "completed") throw new Error(describe(outcome));
  return outcome;
}

export function describe(outcome: LaunchOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) =>
    typeof value === "bigint" ? `0x${value.toString(16)}` : value,
  );
}

/** Deterministic numbers in [-1, 1). */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** A tensor's numbers with their bytes in a format of 16 or 32 bits. */
export interface Tensor {
  readonly values: Float64Array;
  readonly bytes: Uint8Array;
}

/** Rounds a double to a number of significand bits by arithmetic on doubles alone (normal range). */
function roundTo(value: number, bits: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - (bits - 1));
  const scaled = value / unit;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return (floor + (up ? 1 : 0)) * unit;
}

export type Format = "f32" | "f16" | "bf16" | "i8" | "i32";

/** The value of 16 bits, by definition of the format. */
export function halfValue(bits: number, format: "f16" | "bf16"): number {
  const [fractionBits, bias] = format === "f16" ? [10, 15] : [7, 127];
  const sign = bits & 0x8000 ? -1 : 1;
  const field = (bits & 0x7fff) >> fractionBits;
  const fraction = bits & ((1 << fractionBits) - 1);
  const most = (1 << (15 - fractionBits)) - 1;
  if (field === most) return fraction === 0 ? sign * Infinity : NaN;
  if (field === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction * 2 ** -fractionBits) * 2 ** (field - bias);
}

function halfBits(value: number, format: "f16" | "bf16"): number {
  const [fractionBits, bias] = format === "f16" ? [10, 15] : [7, 127];
  if (value === 0) return 0;
  const magnitude = Math.abs(value);
  const exponent = Math.floor(Math.log2(magnitude));
  const bits =
    ((exponent + bias) << fractionBits) | Math.round((magnitude / 2 ** exponent - 1) * 2 ** fractionBits);
  return bits | (value < 0 ? 0x8000 : 0);
}

/** Numbers from `next`, rounded to the format so that both sides work on the same values. */
export function tensor(format: Format, count: number, next: () => number): Tensor {
  const values = new Float64Array(count);
  if (format === "i8" || format === "i32") {
    const array = format === "i8" ? new Int8Array(count) : new Int32Array(count);
    array.forEach((_, index) => {
      array[index] = Math.round(next());
      values[index] = array[index] ?? 0;
    });
    return { values, bytes: bytesOf(array) };
  }
  if (format === "f32") {
    const array = Float32Array.from({ length: count }, next);
    values.set(array);
    return { values, bytes: bytesOf(array) };
  }
  const array = new Uint16Array(count);
  array.forEach((_, index) => {
    const wanted = next();
    // Subnormal numbers have tests of their own.
    const value = Math.abs(wanted) < 2 ** -14 ? 0 : roundTo(wanted, format === "f16" ? 11 : 8);
    values[index] = value;
    array[index] = halfBits(value, format);
  });
  return { values, bytes: bytesOf(array) };
}

/** Numbers that a kernel wrote. */
export function numbers(format: Format, bytes: Uint8Array): Float64Array {
  const copy = bytes.slice().buffer;
  if (format === "f32") return Float64Array.from(new Float32Array(copy));
  if (format === "i32") return Float64Array.from(new Int32Array(copy));
  if (format === "i8") return Float64Array.from(new Int8Array(copy));
  return Float64Array.from(new Uint16Array(copy), (bits) => halfValue(bits, format));
}

/** Greatest |actual - expected| / (1 + |expected|); NaN where one is not finite and the other differs. */
export function worstError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let worst = actual.length === expected.length ? 0 : NaN;
  for (let index = 0; index < expected.length; index += 1) {
    const [a, e] = [actual[index] ?? NaN, expected[index] ?? NaN];
    if (Object.is(a, e)) continue;
    const error = Math.abs(a - e) / (1 + Math.abs(e));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}
