import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeHunks, splitLines } from "../../client/src/review/hunk-placement";
import { alignLines } from "../../client/src/review/line-alignment";
import { toReplacement } from "../../client/src/review/text-edits";
import type { HunkView, TextEditView } from "../../server/protocol/views";

const line = fc.constantFrom("", "}", "int a;", "int b;", "a = b;", "return;");
const text = fc.array(line, { maxLength: 30 });

/** What is left of `to` when only aligned lines count, and the same of `from`. */
function aligned(
  from: readonly string[],
  to: readonly string[],
): readonly (readonly [string | undefined, string | undefined])[] {
  return alignLines(from, to).flatMap((index, at) => (index < 0 ? [] : [[from[at], to[index]] as const]));
}

describe("lines of two texts", () => {
  it("are aligned in order, and only where they are equal", () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const indices = alignLines(from, to).filter((index) => index >= 0);
        expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
        for (const [a, b] of aligned(from, to)) expect(a).toBe(b);
      }),
    );
  });

  it("are all aligned when lines were only inserted", () => {
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(30), line), { maxLength: 5 }), (from, inserted) => {
        const to = [...from];
        for (const [at, added] of inserted) to.splice(Math.min(at, to.length), 0, added);
        expect(aligned(from, to)).toHaveLength(from.length);
      }),
    );
  });
});

const baseText = ["a", "}", "b", "c", "d", "}", "e", "f"].join("\n");
const hunks: readonly HunkView[] = [
  {
    id: "replace",
    uri: "file:///k.cu",
    baseStart: 2,
    baseLines: ["b"],
    proposedLines: ["B", "}", "B2"],
    decision: "open",
  },
  {
    id: "insert",
    uri: "file:///k.cu",
    baseStart: 5,
    baseLines: [],
    proposedLines: ["new", "}"],
    decision: "open",
  },
  { id: "delete", uri: "file:///k.cu", baseStart: 7, baseLines: ["f"], proposedLines: [], decision: "open" },
];

function decided(...accepted: readonly string[]): readonly HunkView[] {
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
      const placed = placeHunks(baseText, decided(...accepted), present.join("\n"));
      expect(
        Object.fromEntries(
          [...placed].map(([id, { state, start, end }]) => [id, `${state} ${start}-${end}`]),
        ),
      ).toEqual(expected);
    });
  }

  it("is found the same with CRLF line ends", () => {
    const placed = placeHunks(baseText, decided(), baseText.replaceAll("\n", "\r\n"));
    expect([...placed.values()].map(({ state }) => state)).toEqual(["base", "base", "base"]);
  });
});

/** Applies a replacement as an editor does. */
function applied(original: string, edit: TextEditView, eol: string): string {
  const lines = splitLines(original);
  const offsetOf = (lineIndex: number, character: number): number =>
    lines.slice(0, lineIndex).reduce((sum, each) => sum + each.length + eol.length, 0) + character;
  const place = toReplacement(lines, edit, eol);
  return (
    original.slice(0, offsetOf(place.startLine, place.startCharacter)) +
    place.text +
    original.slice(offsetOf(place.endLine, place.endCharacter))
  );
}

describe("an edit of whole lines", () => {
  it("changes those lines and no other, whatever the line ends and wherever it stands", () => {
    const edits = fc.tuple(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.nat(12),
      fc.nat(12),
      fc.array(line, { maxLength: 4 }),
      fc.constantFrom("\n", "\r\n"),
    );
    fc.assert(
      fc.property(edits, ([lines, a, b, replacement, eol]) => {
        const startLine = Math.min(a, b, lines.length);
        const endLine = Math.min(Math.max(a, b), lines.length);
        const expected = [...lines.slice(0, startLine), ...replacement, ...lines.slice(endLine)];
        fc.pre(expected.length > 0);
        expect(
          applied(lines.join(eol), { uri: "file:///k.cu", startLine, endLine, lines: replacement }, eol),
        ).toBe(expected.join(eol));
      }),
    );
  });
});
