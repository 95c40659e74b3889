import { expect, test } from "vitest";
import { lesserSizes } from "../../../server/core/language/cuda/launch/sizes/lesser-sizes";

test.each<readonly [string, readonly string[]]>([
  ["int oh = h - kh + 1, ow = w - kw + 1;", ["kh", "kw"]],
  ["if (i < h-kh) x[i] = 0;", ["kh"]],
  ["int oh = (h + 2 * pad - kh) / stride + 1;", ["kh"]],
  ["int last = w - (kw - 1);", ["kw"]],
  ["int i = h - 1 - t;", []],
  ["int i = a[h] - kh;", []],
  ["int i = 2 * h - kh;", []],
  ["int i = h - kh * stride;", []],
  ["int i = h - kh[0];", []],
  ["int i = h - kh, k = kh - h;", []],
  ["int i = p->h - kh;", []],
  ["int i = -h - kh;", []],
  ["// h - kh\nint i = h;", []],
])("%s", (body, names) => {
  expect([...lesserSizes(body, ["h", "w", "kh", "kw", "pad", "stride"])].sort()).toEqual(names);
});
