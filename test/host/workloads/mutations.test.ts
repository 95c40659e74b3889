import { expect, test } from "vitest";
import { mutantsFor, workspaceOf } from "../../corpus/mutants";
import { corpus } from "../../harness/corpus";

const entries = corpus().filter(({ kind }) => kind !== "none" && kind !== "torch");

test("each kernel has at least nine other spellings, and most have ten", () => {
  const counts = entries.map((entry) => ({ id: entry.id, spellings: mutantsFor(entry).length }));
  expect(counts.filter(({ spellings }) => spellings < 9)).toEqual([]);
  expect(counts.filter(({ spellings }) => spellings >= 10).length).toBeGreaterThan(entries.length / 2);
});

test("each spelling differs from the others, and holds the kernel that it names", () => {
  const faults = entries.flatMap((entry) => {
    const texts = new Set([JSON.stringify([...workspaceOf(entry).files])]);
    return mutantsFor(entry).flatMap(({ mutation, workspace: { files, file, kernel } }) => {
      const text = JSON.stringify([...files]);
      const again = texts.has(text);
      texts.add(text);
      const isThere = new RegExp(`\\b${kernel}\\(`).test(files.get(file) ?? "");
      return again || !isThere ? [`${entry.id}: ${mutation}`] : [];
    });
  });
  expect(faults).toEqual([]);
});
