import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toReplacement } from "../../client/src/review/text-edits";
import { type LineEdit, splitLines } from "../../server/core/review/line-edit";

const line = fc.constantFrom("", "}", "int a;", "int b;", "a = b;", "return;");

/** Applies a replacement as an editor does. */
function applied(original: string, edit: LineEdit, eol: string): string {
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
        expect(applied(lines.join(eol), { startLine, endLine, lines: replacement }, eol)).toBe(
          expected.join(eol),
        );
      }),
    );
  });
});
