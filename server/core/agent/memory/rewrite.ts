import type { SourceTree } from "../../judge/candidate";
import { computeHunks } from "../../review/compute-hunks";

/** The changes between two versions in lines with `-` and `+`, for a fence; cut after `most` characters. */
export function rewriteOf(old: SourceTree, made: SourceTree, most: number): string {
  const lines = Object.entries(made).flatMap(([file, proposed]) =>
    computeHunks({ file, base: old[file] ?? "", proposed }).flatMap((hunk) => [
      `@@ ${file}:${hunk.baseStart}`,
      ...hunk.baseLines.map((line) => `-${line}`),
      ...hunk.proposedLines.map((line) => `+${line}`),
    ]),
  );
  const whole = lines.join("\n").replaceAll("```", "'''");
  return whole.length <= most ? whole : `${whole.slice(0, most)}\n(cut)`;
}
