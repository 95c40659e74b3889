import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { anyNumber, objectOf, readShape, shapeIssues } from "../../../server/core/base/shape";

interface Point {
  readonly x: number;
  readonly label?: string;
}

const point = objectOf<Point>()({ x: z.number(), label: z.optional(z.string()) });
const shapes = {
  point,
  points: z.array(point),
  choice: z.enum(["a", "b"]),
  either: z.union([z.string(), z.looseObject({ inner: point })]),
  alternatives: z.union([
    z.strictObject({ first: z.number() }),
    z.strictObject({ second: z.number(), third: z.number(), other: z.number() }),
    z.strictObject({ second: z.number(), fourth: z.number() }),
  ]),
  strict: z.strictObject({ x: z.int() }),
  whole: z.int(),
  bounded: z.number().check(z.minimum(2), z.maximum(4)),
  any: anyNumber,
} satisfies Readonly<Record<string, z.ZodMiniType>>;

/** A fault is the text of the first issue; else the value that is read. */
const cases: readonly {
  readonly shape: keyof typeof shapes;
  readonly value: unknown;
  readonly read?: unknown;
  readonly fault?: string;
}[] = [
  { shape: "point", value: { x: 1 }, read: { x: 1 } },
  { shape: "point", value: { x: 1, later: true }, read: { x: 1, later: true } },
  { shape: "point", value: { x: 1, label: 2 }, fault: "label: expected text, found 2" },
  { shape: "point", value: {}, fault: "x: expected a number, found nothing" },
  { shape: "point", value: { x: NaN }, fault: "x: expected a number, found NaN" },
  { shape: "point", value: [], fault: "expected an object, found a list" },
  { shape: "point", value: null, fault: "expected an object, found null" },
  { shape: "points", value: [{ x: 1 }, { x: "1" }], fault: '[1].x: expected a number, found "1"' },
  { shape: "choice", value: "c", fault: 'expected "a" or "b", found "c"' },
  { shape: "either", value: { inner: { x: {} } }, fault: "inner.x: expected a number, found an object" },
  {
    shape: "alternatives",
    value: { other: 1, second: "2", third: 3 },
    fault: 'second: expected a number, found "2"',
  },
  { shape: "alternatives", value: { unknown: 1 }, fault: "an object is not what belongs here" },
  { shape: "either", value: 7, fault: "7 is not what belongs here" },
  { shape: "strict", value: { x: 1, y: 2 }, fault: 'there is no field "y"' },
  { shape: "whole", value: 1.5, fault: "expected a whole number, found 1.5" },
  { shape: "bounded", value: 1, fault: "expected 2 or more, found 1" },
  { shape: "bounded", value: 5, fault: "expected 4 or less, found 5" },
  { shape: "any", value: Infinity, read: Infinity },
  { shape: "any", value: "x".repeat(50), fault: `"${"x".repeat(39)}… is not what belongs here` },
];

describe("a value and its schema", () => {
  it.each(cases)("$shape of $value", ({ shape, value, read, fault }) => {
    const schema: z.ZodMiniType = shapes[shape];
    expect(readShape(schema, value)).toEqual(
      fault === undefined ? { ok: true, value: read } : { ok: false, problem: fault },
    );
  });

  it("names every difference with its kind", () => {
    expect(shapeIssues(z.strictObject({ a: z.string(), b: z.string() }), { a: 1, c: 2 })).toEqual([
      { kind: "form", text: "a: expected text, found 1", path: ["a"] },
      { kind: "missing", text: "b: expected text, found nothing", path: ["b"] },
      { kind: "unknown-field", text: 'there is no field "c"', path: [] },
    ]);
  });
});
