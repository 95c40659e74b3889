import fc from "fast-check";
import { expect, test } from "vitest";
import { computeHunks } from "../../../server/core/review/compute-hunks";
import type { Hunk } from "../../../server/core/review/hunk";
import { applyEdits } from "../../../server/core/review/line-edit";
import { type Merge, mergeHunks } from "../../../server/core/review/merge";
import { draws } from "../../harness/draws";

interface Review {
  readonly base: string;
  readonly hunks: readonly Hunk[];
}

/** The merge of one decision, and the text that it gives. */
function decide(
  review: Review,
  present: string,
  decided: readonly string[],
  options: { readonly accepted?: readonly string[]; readonly to?: "proposed" | "base" } = {},
): { readonly merge: Merge; readonly text: string } {
  const merge = mergeHunks({
    base: review.base,
    hunks: review.hunks.map((hunk) => ({
      ...hunk,
      decision: options.accepted?.includes(hunk.id) ? "accepted" : "open",
      needs: [],
    })),
    decided: new Set(decided),
    to: options.to ?? "proposed",
    present,
  });
  return { merge, text: merge.kind === "merged" ? applyEdits(present, merge.edits) : present };
}

/**
 * Texts of few different lines, so that repeated lines and shared lines are common, with and without a final
 * line end.
 */
const line = fc.constantFrom("int a;", "b = 2;", "c[i] = d;", "}", "", "  return e;", "{", "f();");
const text = (eol: string): fc.Arbitrary<string> =>
  fc.array(line, { maxLength: 14 }).map((lines) => lines.join(eol));
const pair = fc.constantFrom("\n", "\r\n").chain((eol) => fc.tuple(text(eol), text(eol)));

/** A text of one line says nothing about line ends, so they are compared apart. */
const sameEnds = (value: string): string => value.replaceAll("\r\n", "\n");

test("all hunks on the base give the proposed text, whatever the order", () => {
  fc.assert(
    fc.property(pair, fc.infiniteStream(fc.nat()), ([base, proposed], order) => {
      const hunks = computeHunks({ file: "k.cu", base, proposed });
      const review = { base, hunks };
      const ids = hunks.map((hunk) => hunk.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(sameEnds(decide(review, base, ids).text)).toBe(sameEnds(proposed));
      let present = base;
      const accepted: string[] = [];
      const remaining = [...ids];
      while (remaining.length > 0) {
        const [next = ""] = remaining.splice((order.next().value ?? 0) % remaining.length, 1);
        const step = decide(review, present, [next], { accepted });
        expect(step.merge.kind).toBe("merged");
        present = step.text;
        accepted.push(next);
      }
      expect(sameEnds(present)).toBe(sameEnds(proposed));
    }),
    { numRuns: draws(400) },
  );
});

test("undoing restores the text, one by one and all at once", () => {
  fc.assert(
    fc.property(pair, ([base, proposed]) => {
      const hunks = computeHunks({ file: "k.cu", base, proposed });
      const review = { base, hunks };
      const ids = hunks.map((hunk) => hunk.id);
      expect(sameEnds(decide(review, proposed, ids, { accepted: ids, to: "base" }).text)).toBe(
        sameEnds(base),
      );
      for (const id of ids) {
        const one = decide(review, base, [id]);
        expect(sameEnds(decide(review, one.text, [id], { accepted: [id], to: "base" }).text)).toBe(
          sameEnds(base),
        );
      }
    }),
    { numRuns: draws(400) },
  );
});

test("the user's edits elsewhere are kept", () => {
  const base = ["a1", "a2", "a3", "a4", "a5", "a6"].join("\n") + "\n";
  const proposed = ["a1", "A2", "a3", "a4", "A5", "new", "a6"].join("\n") + "\n";
  const review = { base, hunks: computeHunks({ file: "k.cu", base, proposed }) };
  const present = ["zero", "a1", "a2", "a3", "mine", "a4", "a5", "a6", "tail"].join("\n");
  const outcome = decide(
    review,
    present,
    review.hunks.map((hunk) => hunk.id),
  );
  expect(outcome.merge.kind).toBe("merged");
  expect(outcome.text).toBe(["zero", "a1", "A2", "a3", "mine", "a4", "A5", "new", "a6", "tail"].join("\n"));
});

test("a hunk whose lines the user has changed is a conflict, and then nothing is merged", () => {
  const base = "a\nb\nc\nd\ne\n";
  const review = { base, hunks: computeHunks({ file: "k.cu", base, proposed: "a\nB\nc\nD\ne\n" }) };
  const present = "a\nmine\nc\nd\ne\n";
  expect(decide(review, present, ["k.cu:2", "k.cu:4"])).toEqual({
    merge: { kind: "conflict", conflicts: [{ hunk: "k.cu:2", line: 1 }] },
    text: present,
  });
  expect(decide(review, present, ["k.cu:4"])).toEqual({
    merge: { kind: "merged", edits: [{ startLine: 3, endLine: 4, lines: ["D"] }] },
    text: "a\nmine\nc\nD\ne\n",
  });
});

test("accepting what is already there changes nothing; an undo by the editor is understood", () => {
  const base = "a\nb\nc\n";
  const review = { base, hunks: computeHunks({ file: "k.cu", base: base, proposed: "a\nB\nc\n" }) };
  expect(decide(review, "a\nB\nc\n", ["k.cu:2"])).toMatchObject({ merge: { kind: "merged", edits: [] } });
  expect(decide(review, base, ["k.cu:2"], { accepted: ["k.cu:2"] }).text).toBe("a\nB\nc\n");
});

test("line ends are kept: a proposal with other ends changes only its own lines", () => {
  const base = "a\r\nb\r\nc";
  const review = { base, hunks: computeHunks({ file: "k.cu", base: base, proposed: "a\nB\nnew\nc\n" }) };
  expect(review.hunks.map((hunk) => hunk.baseStart)).toEqual([2, 4]);
  expect(decide(review, base, ["k.cu:2"]).text).toBe("a\r\nB\r\nnew\r\nc");
  expect(decide(review, base, ["k.cu:2", "k.cu:4"]).text).toBe("a\r\nB\r\nnew\r\nc\r\n");
});

test("a new file is one hunk on an empty base", () => {
  const hunks = computeHunks({ file: "new.cu", base: "", proposed: "a\nb\n" });
  expect(hunks).toEqual([
    { id: "new.cu:1", file: "new.cu", baseStart: 1, baseLines: [], proposedLines: ["a", "b"] },
  ]);
  expect(decide({ base: "", hunks }, "", ["new.cu:1"]).text).toBe("a\nb\n");
});

test("changes that only a brace parts are one hunk", () => {
  expect(
    computeHunks({ file: "k.cu", base: "a\n}\nb\nc\nd\n", proposed: "A\n}\nB\nc\nD\n" }).map((hunk) => [
      hunk.baseStart,
      hunk.baseLines,
    ]),
  ).toEqual([
    [1, ["a", "}", "b"]],
    [5, ["d"]],
  ]);
});
