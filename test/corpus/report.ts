import type { Judged, Standing } from "./judge-entry";

const STANDINGS: readonly Standing[] = [
  "as expected",
  "asked",
  "needless question",
  "false accusation",
  "missed",
  "failed",
  "differs",
];

/** Rows as text, in columns that line up. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => {
    row.forEach((cell, column) => (widest[column] = Math.max(widest[column] ?? 0, cell.length)));
    return widest;
  }, []);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** One row for each kernel. */
export function rowsOf(judged: readonly Judged[]): string {
  return columns(
    judged.map(({ id, expected, answer, standing, seconds }) => [
      id,
      standing,
      answer === expected ? answer : `${answer}, not ${expected}`,
      `${seconds} s`,
    ]),
  );
}

/** How many of each kind stand how, and all together. */
export function totalsOf(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  const count = (of: readonly Judged[]): string[] =>
    STANDINGS.map((standing) => `${of.filter((one) => one.standing === standing).length}`);
  const row = (name: string, of: readonly Judged[]): string[] => [
    name,
    ...count(of),
    `${of.length}`,
    `${Math.round(of.reduce((sum, { seconds }) => sum + seconds, 0))} s`,
  ];
  return columns([
    ["kind", ...STANDINGS, "kernels", "time"],
    ...kinds.map((kind) =>
      row(
        kind,
        judged.filter((one) => one.kind === kind),
      ),
    ),
    row("all", judged),
  ]);
}
