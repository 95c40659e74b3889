import { formatTable, wrapText } from "./terminal";

/** Blanks between two columns. */
const gap = 2;

/**
 * A column of a table: its head, its cell, and whether it stands below its row instead of in it, with no
 * head.
 */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly below?: boolean;
}

/**
 * A table of the columns that have anything to say. What does not fit the width stands in words below its
 * row, and so does what has no column of its own.
 */
export function fittedTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): readonly string[] {
  const used = columns.filter(({ cell }, at) => at === 0 || rows.some((row) => cell(row) !== ""));
  const beside: Column<Row>[] = [];
  let reach = -gap;
  for (const column of used.filter(({ below }) => below !== true)) {
    reach += gap + Math.max(column.head.length, ...rows.map((row) => column.cell(row).length));
    if (reach > width) break;
    beside.push(column);
  }
  const below = used.filter((column) => !beside.includes(column));
  const table = formatTable([
    beside.map(({ head }) => head),
    ...rows.map((row) => beside.map(({ cell }) => cell(row))),
  ]);
  const [first] = beside;
  const left = " ".repeat(gap + Math.max(0, ...rows.map((row) => first?.cell(row).length ?? 0)));
  return table.flatMap((line, at) => {
    const row = rows[at - 1];
    const words =
      row === undefined ? [] : below.map((column) => wordsOf(column, row)).filter((text) => text !== "");
    return [
      line,
      ...(words.length === 0
        ? []
        : wrapText(words.join("; "), width - left.length).map((text) => `${left}${text}`)),
    ];
  });
}

/** What a column that found no place beside the others says below the row. */
function wordsOf<Row>({ head, cell, below: bare }: Column<Row>, row: Row): string {
  const text = cell(row);
  return text === "" || bare === true ? text : `${head} ${text}`;
}
