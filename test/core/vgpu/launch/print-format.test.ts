import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe as suite, expect, it } from "vitest";
import { formatPrint } from "../../../../server/core/vgpu/launch/units/print-format";
import { noise } from "../support";

/** A number as C literal text, or a string. */
type Value = {
  readonly kind: "int" | "long" | "double" | "text" | "pointer";
  readonly bits: bigint;
  readonly text?: string;
};

const int = (value: number): Value => ({ kind: "int", bits: BigInt.asUintN(32, BigInt(value)) });
const long = (value: bigint): Value => ({ kind: "long", bits: BigInt.asUintN(64, value) });
const pointer = (value: bigint): Value => ({ kind: "pointer", bits: value });
const text = (value: string): Value => ({ kind: "text", bits: 1n, text: value });
const double = (value: number): Value => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return { kind: "double", bits: view.getBigUint64(0) };
};

/** What a GPU's double precision gives for 0/0. */
const negativeNaN: Value = { kind: "double", bits: 0xfff8_0000_0000_0000n };

interface Case {
  readonly format: string;
  readonly values: readonly Value[];
}

const flags = ["", "-", "0", "+", " ", "#", "-0", "+0", "# ", "-+#"];
const sizes = ["", "1", "12", ".0", ".3", "9.4", "20.17", "3.1"];
const doubles = [
  0,
  -0,
  1,
  -1.5,
  0.1,
  2.5,
  3.5,
  0.5,
  1e-5,
  0.0001,
  123456,
  1234567,
  999999.5,
  9.9999995,
  1e21,
  1e23,
  9.5e-5,
  1e100,
  1.7976931348623157e308,
  5e-324,
  2.2250738585072014e-308,
  1 / 3,
  Infinity,
  -Infinity,
  NaN,
];
const ints = [0, 1, -1, 42, 255, 2147483647, -2147483648];

function combinations(): Case[] {
  // Some C libraries forget the zeroes of %#g where rounding up adds a digit: those two numbers are left to
  // the other flags.
  const numbersFor = (flag: string, letter: string): number[] =>
    doubles.filter(
      (value) => !(flag.includes("#") && /g/i.test(letter) && (value === 999999.5 || value === 9.9999995)),
    );
  return [
    ...flags.flatMap((flag) =>
      sizes.flatMap((size) => [
        ...["d", "i", "u", "x", "X", "o"].flatMap((letter) =>
          ints.map((value) => ({ format: `[%${flag}${size}${letter}]`, values: [int(value)] })),
        ),
        ...["e", "E", "f", "F", "g", "G", "a", "A"].flatMap((letter) =>
          numbersFor(flag, letter).map((value) => ({
            format: `[%${flag}${size}${letter}]`,
            values: [double(value)],
          })),
        ),
        ...["", "abc", "a longer text than the field"].map((value) => ({
          format: `[%${flag.replace(/[0+ #]/g, "")}${size}s]`,
          values: [text(value)],
        })),
      ]),
    ),
    ...flags.flatMap((flag) =>
      ["f", "E", "g", "a"].map((letter) => ({ format: `[%${flag}9${letter}]`, values: [negativeNaN] })),
    ),
  ];
}

/** Random doubles in the formats that programs use most. */
function randomCases(): Case[] {
  const next = noise(7);
  const random = Array.from({ length: 60 }, () => next() * 10 ** Math.round(next() * 30));
  return random.flatMap((value) =>
    ["%f", "%e", "%g", "%a", "%.15g", "%.17g", "%.1f", "%10.3e"].map((format) => ({
      format,
      values: [double(value)],
    })),
  );
}

/** Every length modifier with every letter of integers. */
function lengthCases(): Case[] {
  return [
    ...["hh", "h"].flatMap((length) =>
      ["d", "u", "x"].map((letter) => ({ format: `%${length}${letter}`, values: [int(-77777)] })),
    ),
    ...["l", "ll", "j", "z", "t"].flatMap((length) =>
      ["d", "u", "x", "X", "o"].flatMap((letter) =>
        [long(-1n), long(123456789012n), long(-(1n << 63n))].map((value) => ({
          format: `%${length}${letter}|%5d`,
          values: [value, int(7)],
        })),
      ),
    ),
  ];
}

/** Single cases: characters, pointers, widths and precisions by argument. */
function singleCases(): Case[] {
  return [
    { format: "%c%c|%5c|%-5c|", values: [int(65), int(122), int(48), int(49)] },
    { format: "%p|%20p|%-20p|", values: [pointer(0x20000000a000n), pointer(0x7fn), pointer(1n)] },
    { format: "100%% of %d and %s%%", values: [int(5), text("x")] },
    {
      format: "%*d|%-*d|%.*f|%*.*f|%*d",
      values: [
        int(7),
        int(3),
        int(7),
        int(3),
        int(2),
        double(1.005),
        int(10),
        int(3),
        double(2.5),
        int(-6),
        int(4),
      ],
    },
    { format: "%.*f|%.*d", values: [int(-3), double(1.5), int(-2), int(5)] },
    { format: "plain text\\n", values: [] },
  ];
}

/** A value as a C expression. */
function literal({ kind, bits, text: letters }: Value): string {
  switch (kind) {
    case "text":
      return JSON.stringify(letters);
    case "int":
      return `(int)${bits}u`;
    case "double":
      return `bits(${bits}ull)`;
    case "pointer":
      return `(void*)${bits}ull`;
    default:
      return `(long long)${bits}ull`;
  }
}

/** What the C library prints, case by case. */
function printedByC(cases: readonly Case[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-print-"));
  const lines = cases.map(
    ({ format, values }) => `printf(${[`"${format}"`, ...values.map(literal)].join(", ")}); putchar(0);`,
  );
  writeFileSync(
    join(folder, "print.c"),
    [
      "#include <stdio.h>",
      "#include <string.h>",
      "static double bits(unsigned long long value) { double number; memcpy(&number, &value, 8); return number; }",
      "int main(void) {",
      ...lines,
      "return 0; }",
    ].join("\n"),
  );
  execFileSync("g++", ["-w", "-O0", "-x", "c++", "-o", join(folder, "print"), join(folder, "print.c")]);
  const output = execFileSync(join(folder, "print"), { encoding: "latin1", maxBuffer: 1 << 26 });
  rmSync(folder, { recursive: true, force: true });
  return output.split("\0").slice(0, -1);
}

function printedByUs({ format, values }: Case): string {
  const rest = [...values];
  const strings = values.filter(({ kind }) => kind === "text");
  return formatPrint(format.replaceAll("\\n", "\n"), {
    next: () => rest.shift()?.bits ?? 0n,
    text: () => strings.shift()?.text ?? "",
  });
}

suite("printf of the device", () => {
  it("formats as the C library does", () => {
    const cases = [...combinations(), ...randomCases(), ...lengthCases(), ...singleCases()];
    const expected = printedByC(cases);
    expect(expected).toHaveLength(cases.length);
    const wrong = cases.flatMap((each, index) => {
      const ours = printedByUs(each);
      return ours === expected[index]
        ? []
        : [
            {
              format: each.format,
              bits: each.values.map(({ bits }) => bits),
              ours,
              expected: expected[index],
            },
          ];
    });
    expect(wrong).toEqual([]);
  });

  it("leaves conversions beyond 32 arguments as they are written", () => {
    expect(formatPrint("%d".repeat(34), { next: () => 7n, text: () => "" })).toBe(`${"7".repeat(32)}%d%d`);
    expect(formatPrint(`${"%d".repeat(31)}%*d%%`, { next: () => 7n, text: () => "" })).toBe(
      `${"7".repeat(31)}%*d%`,
    );
  });

  it("bounds the width of a field", () => {
    expect(formatPrint("%99999999999d", { next: () => 0n, text: () => "" })).toHaveLength(4096);
  });

  it.each([
    ["%", "%"],
    ["%y", "%y"],
    ["%5", "%5"],
    ["%.d", ""],
    ["%s", "(null)"],
    ["%n", ""],
  ])("prints %j as %j", (format, expected) => {
    expect(formatPrint(format, { next: () => 0n, text: () => "" })).toBe(expected);
  });
});
