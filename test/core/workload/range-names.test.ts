import { expect, test } from "vitest";
import { isLengthName, madeUpFloat, rangeBegins } from "../../../server/core/workload/probe/range-names";

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ["words in small letters", ["row_start", "row_end", "n"], { row_start: "row_end" }],
  ["one letter in capitals", ["S_ROW", "E_ROW", "COLS"], { S_ROW: "E_ROW" }],
  ["words told by capitals", ["rowBegin", "rowEnd"], { rowBegin: "rowEnd" }],
  ["a letter before the word", ["istart", "iend", "jstart", "jend"], { istart: "iend", jstart: "jend" }],
  ["single words", ["lo", "hi"], { lo: "hi" }],
  ["a begin without an end", ["start", "count"], {}],
  ["ends of another range", ["x_start", "y_end"], {}],
  ["names that differ otherwise", ["row_a", "row_b", "width", "height"], {}],
  ["strides", ["s_m", "s_n", "e_k"], {}],
])("the ranges among %s", (_, names, begins) => {
  expect(Object.fromEntries(rangeBegins(names))).toEqual(begins);
});

test.each([
  ["alpha", 0.5],
  ["lo", 0.25],
  ["minVal", 0.25],
  ["clip_max", 1.5],
  ["UPPER", 1.5],
  ["xmin", 0.25],
  ["ymax", 1.5],
  ["momentum", 0.5],
])("%s is made up to be %d", (name, value) => {
  expect(madeUpFloat(name)).toBe(value);
});

test("names of lengths and counts", () => {
  const names = [
    "lens",
    "seq_lens",
    "rowLengths",
    "num_valid",
    "counts",
    "places",
    "silent",
    "labels",
    "next",
  ];
  expect(names.filter(isLengthName)).toEqual(["lens", "seq_lens", "rowLengths", "num_valid", "counts"]);
});
