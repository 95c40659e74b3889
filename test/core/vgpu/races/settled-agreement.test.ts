import fc from "fast-check";
import { expect, test } from "vitest";
import { agrees, type Comparison, inverse } from "../../../../server/core/vgpu/analyse/settled/agreement";

const names = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];

/** What PTX makes of a comparison of bits. */
function holds({ how, isUnsigned, with: other }: Comparison, value: number): boolean {
  const unsigned = isUnsigned || ["lo", "ls", "hi", "hs"].includes(how);
  const [a, b] = unsigned ? [value >>> 0, other >>> 0] : [value | 0, other | 0];
  switch (how) {
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "lt":
    case "lo":
      return a < b;
    case "le":
    case "ls":
      return a <= b;
    case "gt":
    case "hi":
      return a > b;
    default:
      return a >= b;
  }
}

const near = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.constantFrom(2 ** 31 - 1, -(2 ** 31), 2 ** 31 - 2, 1 - 2 ** 31),
);
const comparison = fc.record({ how: fc.constantFrom(...names), isUnsigned: fc.boolean(), with: near });

test("a comparison that agrees comes out the same for all numbers that the other one holds of", () => {
  let decided = 0;
  fc.assert(
    fc.property(comparison, comparison, near, fc.array(near), (asked, holding, more, values) => {
      if (!agrees(asked, { holding, more, bits: 32 })) return;
      decided += 1;
      const answer = holds(asked, more);
      for (const value of values.filter((each) => holds(holding, each)))
        expect(holds(asked, value)).toBe(answer);
    }),
    { numRuns: 3000 },
  );
  expect(decided).toBeGreaterThan(100);
});

test("the same of bytes, all of them", () => {
  const byte = fc.record({
    how: fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge"),
    isUnsigned: fc.constant(false),
    with: fc.integer({ min: -3, max: 258 }),
  });
  fc.assert(
    fc.property(byte, byte, fc.integer({ min: 0, max: 255 }), (asked, holding, more) => {
      if (!agrees(asked, { holding, more, bits: 8 })) return;
      for (let value = 0; value < 256; value += 1)
        if (holds(holding, value)) expect(holds(asked, value)).toBe(holds(asked, more));
    }),
  );
});

test("where a comparison does not hold, its inverse does", () => {
  fc.assert(
    fc.property(comparison, near, (asked, value) => {
      const other = inverse(asked);
      expect(other !== undefined && holds(other, value)).toBe(!holds(asked, value));
    }),
  );
  expect(inverse({ how: "equ", isUnsigned: false, with: 1 })).toBeUndefined();
});
