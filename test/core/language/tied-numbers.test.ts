import { expect, test } from "vitest";
import { constantNumbers, tiedNumbers } from "../../../server/core/language/cuda/launch/tied-numbers";

interface Case {
  readonly passed: readonly string[];
  readonly constants?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly lesser?: readonly string[];
}

const extents = { rows: "x.size(2)", cols: "x.size(3)" };

test.each<[string, Case]>([
  ["numbers that are passed twice", { passed: ["n", "k", "k"], values: { c: "b" } }],
  [
    "the sizes of a window's result",
    {
      passed: ["rows", "k", "step", "out"],
      constants: { ...extents, out: "(rows - k) / step + 1" },
      values: { d: "(a - b) / c + 1" },
      lesser: ["b", "c"],
    },
  ],
  [
    "padding beside a tensor's size",
    {
      passed: ["rows", "pad", "x.size(2) + 2 * pad"],
      constants: extents,
      values: { c: "a + 2 * b" },
      lesser: ["b"],
    },
  ],
  [
    "casts and names in between",
    {
      passed: ["(int)n", "static_cast<int>(half)"],
      constants: { half: "whole / 2", whole: "n" },
      values: { b: "a / 2" },
      lesser: [],
    },
  ],
  [
    "what an object is asked for",
    { passed: ["x.size(0)", "x.size( 0 ) * 4"], values: { b: "a * 4" }, lesser: [] },
  ],
  ["a name that no argument is", { passed: ["n", "n + other"], values: {} }],
  ["a call that is not known", { passed: ["n", "rounded(n)"], values: {} }],
  ["numbers", { passed: ["4", "4"], values: {} }],
  [
    "tiles, rounded up by real numbers, and how wide these are",
    {
      passed: ["rows", "tiles", "width"],
      constants: { rows: "x.size(2)", tiles: "ceil((float) rows / width)", width: "32" },
      values: { b: "ceil((float) a / 32)", c: "32" },
    },
  ],
  [
    "a constant that nothing is computed from",
    { passed: ["rows", "rows * 2", "width"], constants: { width: "32" }, values: { b: "a * 2" } },
  ],
])("a launch ties %s", (_, { passed, constants = {}, values, lesser = [] }) => {
  const names = ["a", "b", "c", "d"].slice(0, passed.length);
  const found = tiedNumbers({ arguments: passed, constants }, names);
  expect(Object.fromEntries(found.values)).toEqual(values);
  expect([...found.lesser].sort()).toEqual(lesser);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>, Readonly<Record<string, number>>]>([
  ["numbers as they are", ["512", "k"], {}, { a: 512 }],
  [
    "constants by their names",
    ["paths", "(int)fixings"],
    { paths: "1 << 18", fixings: "64" },
    { a: 262_144, b: 64 },
  ],
  ["products of constants", ["rows * cols", "n"], { rows: "480", cols: "640" }, { a: 307_200 }],
  ["nothing that only the call tells", ["x.size(0)", "n + 1"], {}, {}],
  ["no number that is no count", ["0", "-3"], {}, {}],
])("a launch passes %s", (_, passed, constants, numbers) => {
  expect(constantNumbers({ arguments: passed, constants }, ["a", "b"])).toEqual(numbers);
});
