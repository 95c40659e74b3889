import { diffLines } from "diff";
import type { StoredHunk } from "../trajectory/events";

/**
 * The hunks that turn the base text of a file into the proposed one, in order and not overlapping. Lines are compared with their line
 * ends taken off; `baseStart` is one-based, and for a pure insertion names the line that the new ones are put before. Ids are
 * `FILE#1`, `FILE#2`, …
 */
export function computeHunks(file: string, base: string, proposed: string): StoredHunk[] {
  const hunks: StoredHunk[] = [];
  let open: { baseStart: number; baseLines: string[]; proposedLines: string[] } | undefined;
  let line = 1;
  const close = (): void => {
    if (open) hunks.push({ id: `${file}#${hunks.length + 1}`, file, ...open });
    open = undefined;
  };
  for (const change of diffLines(base, proposed)) {
    const lines = linesOf(change.value);
    if (!change.added && !change.removed) close();
    else open ??= { baseStart: line, baseLines: [], proposedLines: [] };
    if (change.removed) open?.baseLines.push(...lines);
    if (change.added) open?.proposedLines.push(...lines);
    if (!change.added) line += lines.length;
  }
  close();
  return hunks;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
