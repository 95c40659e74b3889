import { describe, expect, it } from "vitest";
import type { ReviewedHunk } from "../../../server/core/review/hunk";
import { placeHunks } from "../../../server/core/review/placement";

const baseText = ["a", "}", "b", "c", "d", "}", "e", "f"].join("\n");
const hunks: readonly ReviewedHunk[] = [
  {
    id: "replace",
    file: "k.cu",
    baseStart: 3,
    baseLines: ["b"],
    proposedLines: ["B", "}", "B2"],
    decision: "open",
    needs: [],
  },
  {
    id: "insert",
    file: "k.cu",
    baseStart: 6,
    baseLines: [],
    proposedLines: ["new", "}"],
    decision: "open",
    needs: [],
  },
  {
    id: "delete",
    file: "k.cu",
    baseStart: 8,
    baseLines: ["f"],
    proposedLines: [],
    decision: "open",
    needs: [],
  },
];

function decided(...accepted: readonly string[]): readonly ReviewedHunk[] {
  return hunks.map((hunk) => ({ ...hunk, decision: accepted.includes(hunk.id) ? "accepted" : "open" }));
}

const placementCases: readonly {
  readonly name: string;
  readonly accepted: readonly string[];
  readonly present: readonly string[];
  readonly expected: Readonly<Record<string, string>>;
}[] = [
  {
    name: "untouched",
    accepted: [],
    present: ["a", "}", "b", "c", "d", "}", "e", "f"],
    expected: { replace: "base 2-3", insert: "base 5-5", delete: "base 7-8" },
  },
  {
    name: "lines typed above",
    accepted: [],
    present: ["x", "y", "a", "}", "b", "c", "d", "}", "e", "f"],
    expected: { replace: "base 4-5", insert: "base 7-7", delete: "base 9-10" },
  },
  {
    name: "one accepted",
    accepted: ["replace"],
    present: ["a", "}", "B", "}", "B2", "c", "d", "}", "e", "f"],
    expected: { replace: "proposed 2-5", insert: "base 7-7", delete: "base 9-10" },
  },
  {
    name: "that one undone",
    accepted: ["replace"],
    present: ["a", "}", "b", "c", "d", "}", "e", "f"],
    expected: { replace: "base 2-3", insert: "base 5-5", delete: "base 7-8" },
  },
  {
    name: "all accepted",
    accepted: ["replace", "insert", "delete"],
    present: ["a", "}", "B", "}", "B2", "c", "d", "new", "}", "}", "e"],
    expected: { replace: "proposed 2-5", insert: "proposed 7-9", delete: "proposed 11-11" },
  },
  {
    name: "all undone",
    accepted: ["replace", "insert", "delete"],
    present: ["a", "}", "b", "c", "d", "}", "e", "f"],
    expected: { replace: "base 2-3", insert: "base 5-5", delete: "base 7-8" },
  },
  {
    name: "redone",
    accepted: [],
    present: ["a", "}", "B", "}", "B2", "c", "d", "}", "e", "f"],
    expected: { replace: "proposed 2-5", insert: "base 7-7", delete: "base 9-10" },
  },
  {
    name: "the hunk's own line edited",
    accepted: [],
    present: ["a", "}", "b // mine", "c", "d", "}", "e", "f"],
    expected: { replace: "edited 2-3", insert: "base 5-5", delete: "base 7-8" },
  },
  {
    name: "an accepted hunk edited",
    accepted: ["replace"],
    present: ["a", "}", "B", "}", "B3", "c", "d", "}", "e", "f"],
    expected: { replace: "edited 2-5", insert: "base 7-7", delete: "base 9-10" },
  },
];

describe("a hunk in the present text", () => {
  for (const { name, accepted, present, expected } of placementCases) {
    it(name, () => {
      const placed = placeHunks({ base: baseText, hunks: decided(...accepted), present: present.join("\n") });
      expect(
        Object.fromEntries(
          [...placed].map(([id, { state, start, end }]) => [id, `${state} ${start}-${end}`]),
        ),
      ).toEqual(expected);
    });
  }

  it("is found the same with CRLF line ends", () => {
    const placed = placeHunks({
      base: baseText,
      hunks: decided(),
      present: baseText.replaceAll("\n", "\r\n"),
    });
    expect([...placed.values()].map(({ state }) => state)).toEqual(["base", "base", "base"]);
  });
});
