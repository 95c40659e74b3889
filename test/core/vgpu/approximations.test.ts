import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../server/core/vgpu/index";
import { address, bytesOf, compileText, noise, run } from "./support";
import { snippet } from "./snippets";

/** Runs a function of one single on many numbers. */
function evaluate(instruction: string, values: Float32Array): Float32Array {
  const kernel = compileText(snippet(["u64", "u64"], `ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 128, %r0;
    mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2;
    ld.global.f32 %f0, [%rd1]; ${instruction} %f1, %f0; st.global.f32 [%rd2], %f1;`), "kernel");
  const memory = new DeviceMemory();
  const [input, output] = [memory.allocate("in", values.byteLength, { initial: bytesOf(values) }), memory.allocate("out", values.byteLength)];
  run(kernel, { grid: [values.length / 128, 1, 1], block: [128, 1, 1], arguments: [address(input), address(output)], memory });
  return new Float32Array(memory.read(output).buffer);
}

const corners = [0, -0, Infinity, -Infinity, NaN, 1, -1, 2 ** -149, -(2 ** -149), 2 ** -126, 3.4028234663852886e38, -3.4028234663852886e38, 0.5, 2, Math.PI, 128];

/** Corners and numbers between ±range. */
function samples(range: number): Float32Array {
  const next = noise(31);
  return Float32Array.from({ length: 4096 }, (_, index) => corners[index] ?? range * next());
}

type Error = (actual: number, expected: number, x: number) => number;
const relative: Error = (actual, expected) => Math.abs(actual - expected) / Math.max(Math.abs(expected), 2 ** -126);
const absolute: Error = (actual, expected) => Math.abs(actual - expected);

/** Largest error over all samples where the function is finite; where it is not, the result has to be the same. */
function worst(instruction: string, reference: (x: number) => number, error: Error, range: number): number {
  const values = samples(range);
  const actual = evaluate(instruction, values);
  let most = 0;
  values.forEach((x, index) => {
    const expected = Math.fround(reference(x));
    const value = actual[index] ?? NaN;
    if (Number.isNaN(expected) || !Number.isFinite(expected) || Object.is(value, expected)) {
      if (!Object.is(value, expected)) most = Infinity;
    } else most = Math.max(most, error(value, expected, x));
  });
  return most;
}

suite("approximate functions stay within the manual's bounds (PTX ISA section 9.7.3)", () => {
  it.each([
    ["ex2.approx.f32", (x: number) => 2 ** x, relative, 140, 2 ** -22],
    ["rcp.approx.f32", (x: number) => 1 / x, relative, 1e6, 2 ** -23],
    ["sqrt.approx.f32", Math.sqrt, relative, 1e9, 2 ** -23],
    ["rsqrt.approx.f32", (x: number) => 1 / Math.sqrt(x), relative, 1e9, 2 ** -22.9],
    ["tanh.approx.f32", Math.tanh, relative, 8, 2 ** -11],
    ["sin.approx.f32", Math.sin, absolute, 6, 2 ** -20.5],
    ["cos.approx.f32", Math.cos, absolute, 6, 2 ** -20.5],
  ] as const)("%s", (...row) => {
    const [instruction, reference, error, range, bound] = row;
    // Beyond their range sin and cos of huge numbers are not bounded by the manual.
    const limited = instruction.startsWith("sin") || instruction.startsWith("cos")
      ? (actual: number, expected: number, x: number): number => (Math.abs(x) > 1e6 ? 0 : error(actual, expected, x)) : error;
    expect(worst(instruction, reference, limited, range)).toBeLessThanOrEqual(bound);
  });

  it("lg2.approx.f32", () => {
    const error: Error = (actual, expected, x) => (x > 0.5 && x < 2 ? absolute(actual, expected, x) : relative(actual, expected, x));
    expect(worst("lg2.approx.f32", Math.log2, error, 3)).toBeLessThanOrEqual(2 ** -22);
  });
});
