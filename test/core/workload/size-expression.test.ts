import fc from "fast-check";
import { expect, test } from "vitest";
import {
  evaluateSizeExpression,
  parseSizeExpression,
  variablesOf,
} from "../../../server/core/workload/size-expression";

const sizes = { n: 1000, m: 7, kTile: 32, BLOCK_M: 64 };

function evaluated(text: string): number | string {
  const outcome = evaluateSizeExpression(text, sizes);
  return outcome.ok ? outcome.value : `${outcome.problem.column}: ${outcome.problem.message}`;
}

test.each([
  ["42", 42],
  ["0x20u", 32],
  ["1'000", 1000],
  ["128UL", 128],
  ["n + m * 2", 1014],
  ["(n + m) * 2", 2014],
  ["n - m - 1", 992],
  ["-m + 8", 1],
  ["n / 32", 31],
  ["n // 32", 31],
  ["n % 32", 8],
  ["-7 // 2", -4],
  ["-7 % 3", 2],
  ["(n + kTile - 1) / kTile", 32],
  ["ceil_div(n, 32)", 32],
  ["triton.cdiv(n, BLOCK_M)", 16],
  ["CEIL_DIV(n, kTile)", 32],
  ["divUp(n, 100)", 10],
  ["min(n, m, 3)", 3],
  ["std::max(n, m)", 1000],
  ["std::min<int>(n, 5)", 5],
  ["next_power_of_2(n)", 1024],
  ["triton.next_power_of_2(m)", 8],
  ["next_power_of_2(0)", 1],
  ["n > 10 ? 1 : 2", 1],
  ["n < 10 || m == 7", 1],
  ["n < 10 && m == 7", 0],
  ["!n", 0],
  ["m >= 7 ? n <= 3 ? 1 : 2 : 3", 2],
  ["n != 1000 ? n : -1", -1],
  ["(int)n", 1000],
  ["(unsigned int)(n) + 1", 1001],
  ["static_cast<size_t>(n) * 4", 4000],
  ["int(ceil(n / 3.0))", 334],
  ["(int)ceilf((float)n / 32)", 32],
  ["math.ceil(n / 2.0)", 500],
  ["1 << 10", 1024],
  ["n >> 3", 125],
  ["(n + 31) & ~31", 1024],
  ["m * sizeof(float)", 28],
  ["2 * sizeof(unsigned char)", 2],
  ["", '1: a number, a name or "(" was expected before the end'],
  ["n +", '4: a number, a name or "(" was expected before the end'],
  ["(n", '3: ")" was expected before the end'],
  ["n n", '3: an operator was expected before "n"'],
  ["n + q", '5: the name "q" is not known; known are n, m, kTile, BLOCK_M'],
  ["n / 0", "3: division by zero"],
  ["cdiv(n, n - 1000)", "1: division by zero"],
  ["n / 2.0 + 0.25", "9: the value 500.25 is not a whole number below 2^53"],
  [
    "launch(n)",
    '1: the function "launch" is not known: write the expression out, or use ceil_div, min, max or next_power_of_2',
  ],
  ["n $ 2", '3: "$" has no meaning in a size expression'],
  ["cdiv(n)", "1: ceil_div takes two operands, here are 1"],
  ["1 << 60", "3: a shift must be from 0 to 52"],
  ["n * n * n * n * n * n", "19: the value is beyond 2^53"],
  ["constructor", '1: the name "constructor" is not known; known are n, m, kTile, BLOCK_M'],
])("%s", (text, expected) => {
  expect(evaluated(text)).toBe(expected);
});

test("hostile text ends in a problem, not in an exhausted stack", () => {
  expect(evaluated(`${"(".repeat(500)}1${")".repeat(500)}`)).toMatch(/nested deeper/);
  expect(evaluated("-".repeat(1900) + "1")).toMatch(/nested deeper/);
  expect(evaluated("1+".repeat(3000) + "1")).toMatch(/at most 2000/);
});

test("variables come in order of appearance", () => {
  const parsed = parseSizeExpression("(n + kTile - 1) / kTile > 3 ? cdiv(m, 2) : -q");
  expect(parsed.ok && variablesOf(parsed.value).toSorted()).toEqual(["kTile", "m", "n", "q"]);
});

interface Sample {
  readonly text: string;
  readonly value: bigint | undefined;
}

const floor = (a: bigint, b: bigint): bigint => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
const limit = BigInt(Number.MAX_SAFE_INTEGER);
const inBounds = (value: bigint | undefined): bigint | undefined =>
  value === undefined || value > limit || value < -limit ? undefined : value;

/**
 * Expressions with their value by exact arithmetic; undefined where a step leaves the bounds or divides by
 * zero.
 */
const samples = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.nat({ max: 1_000_000 }).map((value) => ({ text: String(value), value: BigInt(value) })),
    fc
      .tuple(fc.constantFrom("+", "-", "*", "//", "%", "<", "=="), tie("sample"), tie("sample"))
      .map(([operator, a, b]): Sample => {
        const text = `(${a.text} ${operator} ${b.text})`;
        if (a.value === undefined || b.value === undefined) return { text, value: undefined };
        switch (operator) {
          case "+":
            return { text, value: inBounds(a.value + b.value) };
          case "-":
            return { text, value: inBounds(a.value - b.value) };
          case "*":
            return { text, value: inBounds(a.value * b.value) };
          case "//":
            return { text, value: b.value === 0n ? undefined : floor(a.value, b.value) };
          case "%":
            return { text, value: b.value === 0n ? undefined : a.value - floor(a.value, b.value) * b.value };
          case "<":
            return { text, value: a.value < b.value ? 1n : 0n };
          default:
            return { text, value: a.value === b.value ? 1n : 0n };
        }
      }),
  ),
}));

test("values agree with exact arithmetic", () => {
  fc.assert(
    fc.property(samples.sample, ({ text, value }) => {
      const outcome = evaluateSizeExpression(text, {});
      if (value === undefined || text.length > 2000) return !outcome.ok;
      return outcome.ok && BigInt(outcome.value) === value;
    }),
  );
});

test("any text gives a value or a problem within the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."nm09 +-*/%()<>=?:,.&|!~xu_") }), (text) => {
      const outcome = evaluateSizeExpression(text, sizes);
      return outcome.ok
        ? Number.isSafeInteger(outcome.value)
        : outcome.problem.column >= 1 && outcome.problem.column <= text.length + 1;
    }),
  );
});
