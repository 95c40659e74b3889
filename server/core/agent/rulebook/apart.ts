import { computeHunks } from "../../review/compute-hunks";
import type { SyntaxNode } from "../../language/tree";

/** A line that is longer than this and holds several statements is hard to read. */
const LINE_MOST = 110;

/** Rows of the new text that belong to a change. */
export function newLines(base: string, proposed: string): ReadonlySet<number> {
  const rows = new Set<number>();
  let shift = 0;
  for (const { baseStart, baseLines, proposedLines } of computeHunks({ file: "", base, proposed })) {
    proposedLines.forEach((_, index) => rows.add(baseStart - 1 + shift + index));
    shift += proposedLines.length - baseLines.length;
  }
  return rows;
}

/**
 * A text in which each statement of a long line that a rewrite has made stands on a line of its own;
 * undefined where there is no such line.
 */
export function statementsApart(before: string, after: string, root: SyntaxNode): string | undefined {
  const lines = after.split("\n");
  const made = newLines(before, after);
  const isLong = (row: number): boolean => made.has(row) && (lines[row]?.length ?? 0) > LINE_MOST;
  const breaks = new Set<number>();
  for (const block of root.descendantsOfType("compound_statement")) {
    const statements = block.namedChildren;
    if (statements.length < 2 && block.startPosition.row !== block.endPosition.row) continue;
    for (const [place, { startIndex, startPosition, previousNamedSibling }] of statements.entries()) {
      const row = place === 0 ? block.startPosition.row : (previousNamedSibling?.endPosition.row ?? -1);
      if (row === startPosition.row && isLong(row)) breaks.add(startIndex);
    }
    const last = statements.at(-1)?.endPosition.row;
    if (last === block.endPosition.row && isLong(last)) breaks.add(block.endIndex - 1);
  }
  if (breaks.size === 0) return undefined;
  let text = after;
  for (const place of [...breaks].sort((a, b) => b - a))
    text = `${text.slice(0, place).replace(/[ \t]+$/, "")}\n${text.slice(place)}`;
  return text;
}

/** A text without the empty lines that a rewrite has left in functions. */
export function withoutGaps(before: string, after: string, root: SyntaxNode): string {
  const made = newLines(before, after);
  const blocks = root.descendantsOfType("compound_statement");
  const lines = after.split("\n");
  const isGap = (line: string, row: number): boolean =>
    line.trim() === "" &&
    made.has(row) &&
    blocks.some(({ startPosition, endPosition }) => row > startPosition.row && row < endPosition.row);
  return lines.filter((line, row) => !isGap(line, row)).join("\n");
}
