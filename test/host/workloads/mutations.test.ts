import { expect, test } from "vitest";
import { mutantsFor, workspaceOf } from "../../corpus/mutants";
import { corpus } from "../../harness/corpus";

const entries = corpus().filter(({ kind }) => kind !== "none" && kind !== "torch");

/** A kernel whose head is a macro's has fewer places that can be spelt in another way. */
const isMarkedByMacro = (entry: (typeof entries)[number]): boolean => {
  const { files, file } = workspaceOf(entry);
  return !file.endsWith(".py") && !files.get(file)?.includes("__global__");
};

test("each kernel has at least nine other spellings, and most have ten", () => {
  const counts = entries.map((entry) => ({ id: entry.id, spellings: mutantsFor(entry).length }));
  const few = counts.filter(({ spellings }) => spellings < 9).map(({ id }) => id);
  expect(few).toEqual(entries.filter(isMarkedByMacro).map(({ id }) => id));
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
