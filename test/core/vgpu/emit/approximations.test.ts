import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { unitInLastPlace } from "./conformance-cases";
import { address, bytesOf, compileText, noise, run } from "../support";
import { snippet } from "../snippets";

type Values = Float32Array | Uint16Array;

/**
 * Runs an instruction on columns of numbers that are as long as each other; the result is a column of the
 * same kind.
 */
function evaluate<Column extends Values>(
  instruction: string,
  ...columns: readonly [Column, ...Column[]]
): Column {
  const [first] = columns;
  const size = first.BYTES_PER_ELEMENT;
  const [type, register] = size === 4 ? ["f32", "%f"] : ["b16", "%h"];
  const pointers = [...columns, first].map(
    (_, index) => `ld.param.u64 %rd1, [p${index}]; mad.wide.u32 %rd${index + 2}, %r0, ${size}, %rd1;`,
  );
  const loads = columns.map((_, index) => `ld.global.${type} ${register}${index + 1}, [%rd${index + 2}];`);
  const operands = columns.map((_, index) => `${register}${index + 1}`).join(", ");
  const kernel = compileText(
    snippet(
      pointers.map(() => "u64"),
      `mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 128, %r0;
    ${pointers.join(" ")} ${loads.join(" ")} ${instruction} ${register}0, ${operands}; st.global.${type} [%rd${columns.length + 2}], ${register}0;`,
    ),
    "kernel",
  );
  const memory = new DeviceMemory();
  const inputs = columns.map((column, index) =>
    memory.allocate(`in ${index}`, column.byteLength, { initial: bytesOf(column) }),
  );
  const output = memory.allocate("out", first.byteLength);
  run(kernel, {
    grid: [first.length / 128, 1, 1],
    block: [128, 1, 1],
    arguments: [...inputs, output].map(address),
    memory,
  });
  const { buffer } = memory.read(output);
  return (size === 4 ? new Float32Array(buffer) : new Uint16Array(buffer)) as Column;
}

const greatest = 3.4028234663852886e38;
const least = 2 ** -126;
const corners = [
  0,
  Infinity,
  1,
  2 ** -149,
  least - 2 ** -149,
  least,
  greatest,
  0.5,
  0.5 + 2 ** -24,
  1 - 2 ** -24,
  1 + 2 ** -23,
  2 - 2 ** -23,
  2,
  Math.PI,
  2 * Math.PI,
  100 * Math.PI,
  126,
  127,
  127.99999,
  128,
  149,
  149.5,
  150,
  2 ** 126,
  2 ** 126 + 2 ** 103,
  2 ** 127,
].flatMap((x) => [x, -x]);

/**
 * Corners; numbers of every magnitude; and as many between ±8 and ±320, where most functions have what is of
 * interest. 65,536 in all.
 */
function samples(seed: number): Float32Array {
  const next = noise(seed);
  return Float32Array.from({ length: 65_536 }, (_, index) => {
    const corner = index === 0 ? NaN : corners[index - 1];
    if (corner !== undefined) return corner;
    if (index % 2 === 0) return Math.sign(next()) * 2 ** (-11 + 138.5 * next());
    return (index % 4 === 1 ? 8 : 320) * next();
  });
}

/** How far a result may be from the exact one, where the manual says so; NaN where it does not. */
type Bound = (expected: number, x: number) => number;
const ulps =
  (count: number): Bound =>
  (expected) =>
    count * unitInLastPlace(Math.fround(expected));
const relative =
  (bound: number): Bound =>
  (expected) =>
    bound * Math.abs(expected);
const circular: Bound = (_, x) => {
  if (Math.abs(x) <= 2 * Math.PI) return 2 ** -20.5;
  return Math.abs(x) <= 100 * Math.PI ? 2 ** -14.7 : NaN;
};
const logarithm: Bound = (expected, x) => (x > 0.5 && x < 2 ? 2 ** -22 : 2 ** -22 * Math.abs(expected));

/**
 * The first results that are farther from the reference than allowed. What is rounded to zero, to an infinity
 * or is no number has to be the same.
 */
function failures(
  inputs: readonly Values[],
  actual: Values,
  check: (index: number) => { expected: number; got: number; allowed: number },
): string[] {
  const found: string[] = [];
  for (let index = 0; index < actual.length && found.length < 5; index += 1) {
    const { expected, got, allowed } = check(index);
    if (Number.isNaN(allowed) || Object.is(got, expected)) continue;
    const special = Number.isNaN(expected) || !Number.isFinite(expected) || expected === 0;
    if (special || !(Math.abs(got - expected) <= allowed))
      found.push(
        `f(${inputs.map((column) => column[index]).join(", ")}) = ${got} instead of ${expected} ± ${allowed}`,
      );
  }
  return found;
}

const flush = (x: number): number => (Math.abs(x) < least ? x * 0 : x);

suite(
  "approximate functions stay within the manual's bounds on 65,536 numbers (PTX ISA sections 9.7.3.13 to 9.7.3.22)",
  () => {
    it.each([
      ["rcp", (x: number) => 1 / x, ulps(1)],
      ["sqrt", Math.sqrt, relative(2 ** -23)],
      ["rsqrt", (x: number) => 1 / Math.sqrt(x), relative(2 ** -22.9)],
      ["sin", Math.sin, circular],
      ["cos", Math.cos, circular],
      ["lg2", Math.log2, logarithm],
      ["ex2", (x: number) => 2 ** x, ulps(2)],
      ["tanh", Math.tanh, relative(2 ** -11)],
    ] as const)("%s.approx", (name, reference, bound) => {
      const values = samples(31);
      const plain = evaluate(`${name}.approx.f32`, values);
      const exactly = (x: number): number =>
        Number.isFinite(Math.fround(reference(x))) ? reference(x) : Math.fround(reference(x));
      expect(
        failures([values], plain, (index) => {
          const x = values[index] ?? NaN;
          const nearest = Math.fround(exactly(x));
          // A result is compared with the exact value, unless rounding alone makes it zero.
          return {
            expected: nearest === 0 ? nearest : exactly(x),
            got: plain[index] ?? NaN,
            allowed: bound(exactly(x), x),
          };
        }),
      ).toEqual([]);
      if (name === "tanh") return;
      const flushed = evaluate(`${name}.approx.ftz.f32`, values);
      expect(
        failures([values], flushed, (index) => {
          const x = flush(values[index] ?? NaN);
          return { expected: flush(exactly(x)), got: flushed[index] ?? NaN, allowed: bound(exactly(x), x) };
        }),
      ).toEqual([]);
    });

    it.each(["sin", "cos"])("%s.approx of any finite number lies between -1 and 1", (name) => {
      const values = samples(32);
      const outside = [...evaluate(`${name}.approx.f32`, values)].flatMap((result, at) =>
        Number.isFinite(values[at]) && !(Math.abs(result) <= 1) ? [`${values[at]}: ${result}`] : [],
      );
      expect(outside.slice(0, 5)).toEqual([]);
    });
  },
);

suite("division stays within two units in the last place (PTX ISA section 9.7.3.8)", () => {
  const [dividends, divisors] = [samples(5), samples(6).reverse()];
  corners.forEach((a, row) =>
    corners.forEach((b, column) => {
      [dividends[row * corners.length + column], divisors[row * corners.length + column]] = [a, b];
    }),
  );
  it.each(["div.full.f32", "div.full.ftz.f32", "div.approx.f32", "div.approx.ftz.f32"])(
    "%s",
    (instruction) => {
      const isFlushed = instruction.includes("ftz");
      const actual = evaluate(instruction, dividends, divisors);
      expect(
        failures([dividends, divisors], actual, (index) => {
          const [a, b] = [dividends, divisors].map((column) =>
            isFlushed ? flush(column[index] ?? NaN) : (column[index] ?? NaN),
          ) as [number, number];
          const isHuge = instruction.includes("approx") && Math.abs(b) > 2 ** 126;
          const quotient = isHuge ? a * (b < 0 ? -0 : 0) : a / b;
          const nearest = Math.fround(quotient);
          const expected = isFlushed ? flush(nearest) : nearest;
          // The manual bounds div.approx for normal divisors alone.
          const isBounded = instruction.includes("full") || Math.abs(b) >= least || b === 0;
          return {
            expected,
            got: actual[index] ?? NaN,
            allowed: isBounded ? 2 * unitInLastPlace(expected) : NaN,
          };
        }),
      ).toEqual([]);
    },
  );
});

const halfFormats = {
  f16: { exponentBits: 5, fractionBits: 10 },
  bf16: { exponentBits: 8, fractionBits: 7 },
} as const;

function decode(
  bits: number,
  { exponentBits, fractionBits }: (typeof halfFormats)[keyof typeof halfFormats],
): number {
  const [field, fraction] = [
    (bits >> fractionBits) & ((1 << exponentBits) - 1),
    bits & ((1 << fractionBits) - 1),
  ];
  const bias = (1 << (exponentBits - 1)) - 1;
  const sign = bits >> 15 === 1 ? -1 : 1;
  if (field === (1 << exponentBits) - 1) return fraction === 0 ? sign * Infinity : NaN;
  if (field === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction * 2 ** -fractionBits) * 2 ** (field - bias);
}

suite(
  "functions of halves stay within the manual's bounds for every half (PTX ISA sections 9.7.4.9 and 9.7.4.10)",
  () => {
    it.each([
      ["tanh.approx.f16", "f16", Math.tanh, 0, 2 ** -10.987],
      ["tanh.approx.bf16", "bf16", Math.tanh, 0, 2 ** -8],
      ["ex2.approx.f16", "f16", (x: number) => 2 ** x, 2 ** -9.9, 0],
      ["ex2.approx.ftz.bf16", "bf16", (x: number) => 2 ** x, 2 ** -7, 0],
    ] as const)("%s", (...row) => {
      const [instruction, format, reference, share, distance] = row;
      const { exponentBits, fractionBits } = halfFormats[format];
      const bias = (1 << (exponentBits - 1)) - 1;
      const [lowest, highest] = [2 ** (1 - bias), (2 - 2 ** -fractionBits) * 2 ** bias];
      const inputs = Uint16Array.from({ length: 65_536 }, (_, index) => index);
      const actual = evaluate(instruction, inputs);
      expect(
        failures([inputs], actual, (index) => {
          const expected = reference(decode(index, halfFormats[format]));
          // A relative bound says nothing about numbers that the format does not hold in full.
          const isHeld =
            share === 0 ||
            !(Math.abs(expected) < lowest || Math.abs(expected) > highest) ||
            expected === 0 ||
            expected === Infinity;
          return {
            expected,
            got: decode(actual[index] ?? 0, halfFormats[format]),
            allowed: isHeld ? distance + share * Math.abs(expected) : NaN,
          };
        }),
      ).toEqual([]);
    });
  },
);
