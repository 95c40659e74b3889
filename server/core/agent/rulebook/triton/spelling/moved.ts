import type { TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";

/** Counters at the lines where their statements stand now. */
export function moved(
  { counters, file }: RuleInput,
  source: string,
  edits: readonly TextEdit[],
): RuleInput["counters"] {
  const rowOf = (offset: number): number => source.slice(0, offset).split("\n").length;
  const shifts = edits.map(({ start, end, text }) => ({
    row: rowOf(start),
    rows: text.split("\n").length - source.slice(start, end).split("\n").length,
  }));
  const lines = counters.lines.map((entry) => {
    const rows = shifts.filter(({ row }) => row <= entry.line).reduce((sum, shift) => sum + shift.rows, 0);
    return entry.file === file ? { ...entry, line: entry.line + rows } : entry;
  });
  return { ...counters, lines };
}
