import { diffArrays } from "diff";
import type { Hunk, ProposedFile } from "./hunk";
import { splitLines } from "./line-edit";

interface OpenHunk {
  readonly start: number;
  readonly baseLines: string[];
  readonly proposedLines: string[];
}

/**
 * The differences between two texts as hunks of whole lines, from top to bottom. Line ends do not count: a
 * proposal with other line ends than the base changes no line for that. Changes that are separated only by
 * lines without a letter or digit are one hunk: alone they make no sense. The id is the file and the
 * one-based line, so the same texts give the same ids.
 */
export function computeHunks({ file, base, proposed }: ProposedFile): Hunk[] {
  const hunks: OpenHunk[] = [];
  let at = 0;
  let common: readonly string[] = [];
  let open: OpenHunk | undefined;
  for (const part of diffArrays(splitLines(base), splitLines(proposed))) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      common = part.value;
      open = undefined;
      continue;
    }
    open ??= continued(hunks.at(-1), common) ?? begun(hunks, at);
    (part.added ? open.proposedLines : open.baseLines).push(...part.value);
    if (part.removed) at += part.value.length;
  }
  return hunks.map(({ start, baseLines, proposedLines }) => ({
    id: `${file}:${start + 1}`,
    file,
    baseStart: start + 1,
    baseLines,
    proposedLines,
  }));
}

/** The hunk before, with the lines since then on both sides, when these only separate. */
function continued(last: OpenHunk | undefined, common: readonly string[]): OpenHunk | undefined {
  if (last === undefined || !isBridge(common)) return undefined;
  last.baseLines.push(...common);
  last.proposedLines.push(...common);
  return last;
}

function begun(hunks: OpenHunk[], start: number): OpenHunk {
  const hunk = { start, baseLines: [], proposedLines: [] };
  hunks.push(hunk);
  return hunk;
}

function isBridge(lines: readonly string[]): boolean {
  return lines.length <= 2 && lines.every((line) => !/[\p{L}\p{N}]/u.test(line));
}
