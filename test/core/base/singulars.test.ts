import { expect, test } from "vitest";
import { withSingulars } from "../../../server/core/base/singulars";

test.each([
  ["1 bytes of 21 bytes", "1 byte of 21 bytes"],
  ["lines 1 passes, line 1 launches", "lines 1 passes, line 1 launches"],
  ["1.1 warps, 1 warps", "1.1 warps, 1 warp"],
  ["the smallest shape found: rows=1 columns=10", "the smallest shape found: rows=1 columns=10"],
])("%s", (text, said) => {
  expect(withSingulars(text)).toBe(said);
});
