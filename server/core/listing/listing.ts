import { type CodeRow, type LineRange, lineIn } from "./row";

interface ListingBounds {
  readonly rows: number;
  readonly characters: number;
}

/** What an instruction listing of a range of lines holds. */
interface Listing {
  readonly text: string;
  /** Rows of the range, shown or not. */
  readonly rows: number;
  readonly shown: number;
}

/**
 * The rows of a range in the order of the code, under the line that they come from. A line that the compiler
 * spread over the code comes up again. `headingOf` is asked for what stands above the rows of a line; the
 * second time it may say less.
 */
export function listRows(
  rows: readonly CodeRow[],
  range: LineRange,
  headingOf: (line: number, isFirst: boolean) => string,
  bounds: ListingBounds,
): Listing {
  const inRange = rows.flatMap((row) => {
    const line = lineIn(row, range);
    return line === undefined ? [] : [{ line, text: row.text }];
  });
  const lines: string[] = [];
  const seen = new Set<number>();
  let [above, characters, shown] = [0, 0, 0];
  for (const { line, text } of inRange.slice(0, bounds.rows)) {
    const heading = line === above ? [] : [headingOf(line, !seen.has(line))];
    const added = [...heading, `  ${text}`];
    characters += added.reduce((sum, each) => sum + each.length + 1, 0);
    if (characters > bounds.characters) break;
    lines.push(...added);
    seen.add(line);
    above = line;
    shown += 1;
  }
  return { text: lines.join("\n"), rows: inRange.length, shown };
}
