import type { ReviewedHunk } from "./hunk";
import { placeHunks } from "./placement";

/** All changes of a proposal to a file, from top to bottom, and the text that they were made of. */
interface Changes {
  readonly base: string;
  readonly hunks: readonly ReviewedHunk[];
}

/** True where open changes of two proposals to a file concern the same lines, or lines next to each other. */
export function touch(earlier: Changes, later: Changes): boolean {
  const placed = placeHunks({ ...earlier, present: later.base });
  const isOpen = ({ decision }: ReviewedHunk): boolean => decision === "open";
  return earlier.hunks.filter(isOpen).some(({ id }) => {
    const found = placed.get(id);
    if (found === undefined || found.state === "edited") return true;
    return later.hunks.filter(isOpen).some(({ baseStart, baseLines }) => {
      const first = baseStart - 1;
      return found.start <= first + baseLines.length && first <= found.end;
    });
  });
}
