/**
 * Text of others inside Markdown: every character that Markdown could read as markup is escaped, line ends
 * become spaces.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, " ").replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, "\\$&");
}

/** A fenced block which the content cannot leave: its fence is longer than any run of backticks inside. */
export function fencedBlock(language: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join("\n");
}

/** A page of ours as a terminal shows it: tables in columns, no marks. */
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
      return [
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd(),
      ];
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
    .replace(/\\([|*_`<>[\]\\])/g, "$1");
}
