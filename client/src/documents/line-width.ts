/** Columns of a line with what stands behind it: about what a usual window shows beside its lists. */
export const shownColumns = 120;

/** A tab is this wide, near enough. */
const tabColumns = 4;

/** How wide a line is drawn. */
export function columnsOf(line: string): number {
  const tabs = line.split("\t").length - 1;
  return line.length + tabs * (tabColumns - 1);
}
