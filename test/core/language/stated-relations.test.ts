import { expect, test } from "vitest";
import type { Constants } from "../../../server/core/language/cuda/constants";
import { statedRelations } from "../../../server/core/language/cuda/launch/sizes/stated-relations";

const constants: Constants = new Map(
  Object.entries({ MAX_K: "64", TILE: "16" }).map(([name, text]) => [name, { name, text, node: undefined }]),
);

test.each<readonly [text: string, names: readonly string[], relations: readonly string[]]>([
  ["// L even", ["L"], ["L multiple 2"]],
  ["// L must be even, otherwise the colours touch.", ["L", "replicas"], ["L multiple 2"]],
  ["/* n must be a multiple of 32 */", ["n"], ["n multiple 32"]],
  ["// N is always divisible by TILE", ["n"], ["n multiple 16"]],
  ["// K <= 64", ["K", "n"], ["K most 64"]],
  ["// at most MAX_K neighbours: k <= MAX_K.", ["k"], ["k most 64"]],
  ["// n must be a power of two", ["n"], ["n power 2"]],
  ["// requires a power of 2 for n", ["n"], ["n power 2"]],
  ["// Requires even L.", ["L"], ["L multiple 2"]],
  ["// assumes n % 4 == 0", ["n"], ["n multiple 4"]],
  ["// rows and cols must be multiples of 16", ["rows", "cols"], ["rows multiple 16", "cols multiple 16"]],
  ["// both H, W are even", ["H", "W"], ["H multiple 2", "W multiple 2"]],
  ["int L,  // side, must be even and at least 4\nint n)", ["L", "n"], ["L multiple 2", "L least 4"]],
  ["int k) // <= 64", ["k"], ["k most 64"]],
  ["int ksize, // odd", ["ksize"], ["ksize odd 2"]],
  ["/* @param n  number of points, multiple of 128 */", ["n"], ["n multiple 128"]],
  [
    "/*\n * dim: width of a row (multiple of 4, at most 256)\n */",
    ["dim"],
    ["dim multiple 4", "dim most 256"],
  ],
  ["// works only if n is a multiple of 8", ["n"], ["n multiple 8"]],
  ["// no bounds check: n must be a multiple\n// of 256", ["n"], ["n multiple 256"]],
  ["// w == 2 * r", ["w", "r"], ["w equal 2 * r"]],
  ["// D must be 128", ["D"], ["D equal 128"]],
  ["// n is a multiple of the warp size", ["n"], ["n multiple 32"]],
  ["// K must not exceed 1 << 6", ["K"], ["K most 64"]],
  ["// Preconditions: heads divides d; d <= 1024", ["d", "heads"], ["d most 1024"]],
  ["// If n is a multiple of 4 loads are float4", ["n"], []],
  ["// n need not be a multiple of 32", ["n"], []],
  ["// does not need n to be even", ["n"], []],
  ["// if (n > 1024) return;", ["n"], []],
  ["// for n >= 4096 use the other kernel; n > 512 is slow", ["n"], []],
  ["// a multiple of 32, then a power of two", ["a", "n"], []],
  ["// rows are 16-byte aligned, n is a multiple of 16-byte words", ["n"], []],
  ["// x[i] < n, 0 <= y < n, s = n / 2 < n", ["n"], []],
  ["// n = 4096 points", ["n"], []],
  ["int n = 64; n % 2 == 0", ["n"], []],
])("conditions that %j states", (text, names, relations) => {
  const found = statedRelations(text, { names, constants });
  expect(found.map(({ kind, name, value }) => `${name} ${kind} ${value}`)).toEqual(relations);
});
