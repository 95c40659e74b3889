import { expect, it } from "vitest";
import type { ReviewedHunk } from "../../../server/core/review/hunk";
import { touch } from "../../../server/core/review/overlap";
import { pairLines } from "../../../server/core/review/line-pairs";

const base = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/** A change of the line with this text. */
function change(text: string, decision: ReviewedHunk["decision"] = "open"): ReviewedHunk {
  const baseStart = base.indexOf(text) + 1;
  return {
    ...{ id: text, file: "k.cu", baseStart, decision, needs: [] },
    baseLines: [text],
    proposedLines: [`${text} anew`],
  };
}

const made = (...hunks: readonly ReviewedHunk[]) => ({ base: base.join("\n"), hunks });

it.each([
  ["the same line", change("two"), change("two"), true],
  ["lines next to each other", change("two"), change("three"), true],
  ["lines apart", change("two"), change("seven"), false],
  ["a change that was decided", change("two", "rejected"), change("two"), false],
])("changes of two proposals: %s", (_, earlier, later, expected) => {
  expect(touch(made(earlier), made(later))).toBe(expected);
});

it("the later proposal may be of a text in which lines have moved, or are others", () => {
  const moved = { base: ["zero", ...base].join("\n"), hunks: [{ ...change("seven"), baseStart: 8 }] };
  expect(touch(made(change("two")), moved)).toBe(false);
  expect(touch(made(change("seven")), moved)).toBe(true);
  expect(touch(made(change("two")), { ...moved, base: moved.base.replace("two", "2") })).toBe(true);
});

it("a change that is too great to compare line by line is paired in order", () => {
  const [old, now] = [300, 200].map((count) =>
    Array.from({ length: count }, (_, line) => `${count} ${line}`),
  );
  const pairs = pairLines(old ?? [], now ?? []);
  expect(pairs.map(({ newLines }) => newLines.length)).toEqual([
    ...Array.from({ length: 200 }, () => 1),
    ...Array.from({ length: 100 }, () => 0),
  ]);
});
