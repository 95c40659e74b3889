import fc from "fast-check";
import { expect, test } from "vitest";
import { differingParts } from "../../../server/core/base/text";

test("what differs between two texts lies between their common beginning and their common end", () => {
  expect(differingParts("abc", "abc")).toEqual({ start: 3, endBefore: 3, endAfter: 3 });
  expect(differingParts("aba", "ababa")).toEqual({ start: 3, endBefore: 3, endAfter: 5 });
  expect(differingParts("", "x")).toEqual({ start: 0, endBefore: 0, endAfter: 1 });
});

test("neither longer beginnings nor longer ends are common, whatever the texts", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 });
  const length = fc.nat({ max: 9_000 });
  fc.assert(
    fc.property(length, length, piece, piece, (ahead, behind, one, other) => {
      const before = "a".repeat(ahead) + one + "b".repeat(behind);
      const after = "a".repeat(ahead) + other + "b".repeat(behind);
      const { start, endBefore, endAfter } = differingParts(before, after);
      expect(after.slice(0, start)).toBe(before.slice(0, start));
      expect(after.slice(endAfter)).toBe(before.slice(endBefore));
      const isShort = endBefore === start || endAfter === start;
      expect(isShort || before[start] !== after[start]).toBe(true);
      expect(isShort || before[endBefore - 1] !== after[endAfter - 1]).toBe(true);
    }),
  );
});
