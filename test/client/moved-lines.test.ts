import { expect, test } from "vitest";
import { heatOf } from "../../client/src/facts/heat";
import { lineChange, movedLine, type Replacement } from "../../client/src/facts/moved-lines";

const at = (line: number, character: number) => ({ line: line - 1, character });

/** Where lines 4 to 7 stand after the edit; 0 for one that was edited. */
function after(...edit: readonly Replacement[]): readonly number[] {
  return [4, 5, 6, 7].map((line) => movedLine(line, edit.map(lineChange)) ?? 0);
}

test.each<readonly [string, readonly Replacement[], readonly number[]]>([
  ["a letter in a line", [{ range: { start: at(5, 3), end: at(5, 3) }, text: "x" }], [4, 0, 6, 7]],
  ["a line end behind a line", [{ range: { start: at(5, 9), end: at(5, 9) }, text: "\n" }], [4, 0, 7, 8]],
  [
    "whole lines in front of one",
    [{ range: { start: at(5, 0), end: at(5, 0) }, text: "a\nb\n" }],
    [4, 7, 8, 9],
  ],
  ["a line taken out", [{ range: { start: at(5, 0), end: at(6, 0) }, text: "" }], [4, 0, 5, 6]],
  ["two lines joined", [{ range: { start: at(5, 9), end: at(6, 2) }, text: "" }], [4, 0, 0, 6]],
  [
    "two replacements at once",
    [
      { range: { start: at(6, 1), end: at(6, 2) }, text: "y" },
      { range: { start: at(2, 0), end: at(2, 0) }, text: "// note\n" },
    ],
    [5, 6, 0, 8],
  ],
])("facts move with their lines: %s", (_, edit, expected) => {
  expect(after(...edit)).toEqual(expected);
});

test("bars of the gutter grow with the share of the cost", () => {
  expect([0, 0.019, 0.02, 0.1, 0.3, 0.5, 1].map(heatOf)).toEqual([undefined, undefined, 0, 1, 2, 3, 3]);
});
