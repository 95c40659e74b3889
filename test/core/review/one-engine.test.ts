import fc from "fast-check";
import { expect, test } from "vitest";
import { toReplacement } from "../../../client/src/review/text-edits";
import { computeHunks } from "../../../server/core/review/compute-hunks";
import type { ReviewedHunk } from "../../../server/core/review/hunk";
import { applyEdits, type LineEdit, splitLines } from "../../../server/core/review/line-edit";
import { mergeHunks } from "../../../server/core/review/merge";
import { type Placement, placeHunks } from "../../../server/core/review/placement";
import { draws } from "../../harness/draws";

/** Few different lines, so that lines repeat: the case in which two ways to look for a hunk come apart. */
const line = fc.constantFrom("int a;", "b = 2;", "c[i] = d;", "}", "", "  return e;", "{", "f();");
const lines = fc.array(line, { minLength: 1, maxLength: 18 });

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(18),
  remove: fc.nat(2),
  insert: fc.array(line, { maxLength: 2 }),
});

function changed(original: readonly string[], changes: readonly Change[]): string[] {
  const result = [...original];
  for (const { at, remove, insert } of changes) result.splice(Math.min(at, result.length), remove, ...insert);
  return result;
}

interface Situation {
  readonly base: string;
  readonly hunks: readonly ReviewedHunk[];
  readonly present: string;
}

/** A proposal of which some hunks were accepted, and then the user's own edits. */
const situation: fc.Arbitrary<Situation> = fc
  .record({
    base: lines,
    proposal: fc.array(change, { minLength: 1, maxLength: 4 }),
    accepted: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    typed: fc.array(change, { maxLength: 3 }),
  })
  .map(({ base, proposal, accepted, typed }) => {
    const text = base.join("\n");
    const hunks = computeHunks({
      file: "k.cu",
      base: text,
      proposed: changed(base, proposal).join("\n"),
    }).map((hunk, index): ReviewedHunk => ({
      ...hunk,
      decision: accepted[index % 8] ? "accepted" : "open",
      needs: [],
    }));
    const decided = new Set(hunks.filter((hunk) => hunk.decision === "accepted").map((hunk) => hunk.id));
    const open = hunks.map((hunk): ReviewedHunk => ({ ...hunk, decision: "open" }));
    const merge = mergeHunks({ base: text, hunks: open, decided, to: "proposed", present: text });
    const merged = merge.kind === "merged" ? applyEdits(text, merge.edits) : "a base never conflicts";
    return { base: text, hunks, present: changed(merged.split("\n"), typed).join("\n") };
  })
  .filter(({ hunks }) => hunks.length > 0);

/** What Accept of one hunk does, in the words of a placement. */
function acceptOf(
  text: Situation,
  hunk: ReviewedHunk,
): Pick<Placement, "state"> & { readonly line?: number } {
  const merge = mergeHunks({ ...text, decided: new Set([hunk.id]), to: "proposed" });
  if (merge.kind === "conflict") return { state: "edited" };
  const [edit, ...more] = merge.edits;
  expect(more).toEqual([]);
  return edit === undefined ? { state: "proposed" } : { state: "base", line: edit.startLine };
}

test("the lens stands on the line that Accept edits, and says what Accept does", () => {
  fc.assert(
    fc.property(situation, (text) => {
      const placements = placeHunks(text);
      expect([...placements.keys()].toSorted()).toEqual(text.hunks.map((hunk) => hunk.id).toSorted());
      for (const hunk of text.hunks) {
        const shown = placements.get(hunk.id);
        expect(acceptOf(text, hunk)).toEqual(
          shown?.state === "base" ? { state: "base", line: shown.start } : { state: shown?.state },
        );
      }
    }),
    { numRuns: draws(3_000) },
  );
});

test("accepting all does for each hunk what accepting it alone does, or nothing at all", () => {
  fc.assert(
    fc.property(situation, (text) => {
      const decided = new Set(text.hunks.map((hunk) => hunk.id));
      const placements = placeHunks(text);
      const merge = mergeHunks({ ...text, decided, to: "proposed" });
      const inConflict = text.hunks.filter((hunk) => placements.get(hunk.id)?.state === "edited");
      if (merge.kind === "conflict") {
        expect(merge.conflicts.map((conflict) => conflict.hunk)).toEqual(inConflict.map((hunk) => hunk.id));
        return;
      }
      expect(inConflict).toEqual([]);
      const alone = text.hunks
        .map((hunk) => placements.get(hunk.id))
        .filter((place) => place?.state === "base");
      expect(merge.edits.map((edit) => edit.startLine)).toEqual(
        alone.map((place) => place?.start ?? -1).toSorted((a, b) => a - b),
      );
      const ends = merge.edits.map((edit) => edit.endLine);
      merge.edits.slice(1).forEach((edit, index) => expect(edit.startLine >= (ends[index] ?? 0)).toBe(true));
    }),
    { numRuns: draws(3_000) },
  );
});

/** The text after the editor has carried the edits out, from the bottom up. */
function inEditor(text: string, edits: readonly LineEdit[]): string {
  return edits.toReversed().reduce((present, edit) => {
    const rows = splitLines(present);
    const place = toReplacement(rows, edit, "\n");
    const offset = (row: number, character: number): number =>
      rows.slice(0, row).reduce((sum, each) => sum + each.length + 1, 0) + character;
    return (
      present.slice(0, offset(place.startLine, place.startCharacter)) +
      place.text +
      present.slice(offset(place.endLine, place.endCharacter))
    );
  }, text);
}

test("the editor and the server give the same text for the same edits", () => {
  fc.assert(
    fc.property(situation, (text) => {
      const decided = new Set(text.hunks.map((hunk) => hunk.id));
      const merge = mergeHunks({ ...text, decided, to: "proposed" });
      if (merge.kind === "conflict") return;
      // A text of no line at all cannot be told from one of an empty line.
      const expected = applyEdits(text.present, merge.edits);
      expect(inEditor(text.present, merge.edits)).toBe(expected);
    }),
    { numRuns: draws(2_000) },
  );
});
