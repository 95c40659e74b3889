/** Characters of a table's last cell above which it stands below its row. */
const longCell = 48;

/** A page of ours where Markdown is only text: tables in columns, addresses behind words, no marks. */
export function plainText(markdown: string): string {
  const lines = markdown.split("\n");
  const rows = lines.map((line) => (line.startsWith("| ") ? cellsOf(line) : undefined));
  const widths: number[] = [];
  for (const row of rows)
    row?.forEach(
      (cell, at) => (widths[at] = Math.max(widths[at] ?? 0, /^-+:?$/.test(cell) ? 0 : cell.length)),
    );
  return lines
    .flatMap((line, at) => {
      const row = rows[at];
      if (row === undefined) return [withoutMarks(line)];
      if (row.every((cell) => /^-+:?$/.test(cell))) return [];
      const [last = ""] = row.slice(-1);
      const isLong = last.length > longCell;
      const beside = (isLong ? row.slice(0, -1) : row).map((cell, column) =>
        cell.padEnd(widths[column] ?? 0),
      );
      return [beside.join("  ").trimEnd(), ...(isLong ? [`  ${last}`] : [])];
    })
    .join("\n");
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\| | \|$/g, "")
    .split(/ \| /)
    .map(withoutMarks);
}

function withoutMarks(text: string): string {
  return text
    .replace(/\*\*/g, "")
    .replace(/^#+ /, "")
    .replace(/\[([^\]]+)\]\(((?:file|https?):\/\/[^)\s]+)\)/g, "$1: $2")
    .replace(/\\([|*_`<>[\]\\])/g, "$1");
}
