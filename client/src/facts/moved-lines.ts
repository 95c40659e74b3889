/** What one replacement of an edit does to lines, which are one-based and those before the edit. */
interface LineChange {
  /** The lines that read otherwise: from this one, and up to the one before `to`. */
  readonly from: number;
  readonly to: number;
  /** How far the lines from `to` on move down. */
  readonly down: number;
}

/** A replacement as the editor tells it; lines and characters count from 0. */
export interface Replacement {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

export function lineChange({ range: { start, end }, text }: Replacement): LineChange {
  const down = text.split("\n").length - 1 - (end.line - start.line);
  const isWholeLines = start.character === 0 && end.character === 0 && (text === "" || text.endsWith("\n"));
  return { from: start.line + 1, to: isWholeLines ? end.line + 1 : end.line + 2, down };
}

/**
 * Where a line stands after an edit; undefined for a line that was edited itself. The replacements of one
 * edit do not overlap.
 */
export function movedLine(line: number, changes: readonly LineChange[]): number | undefined {
  let moved = line;
  for (const { from, to, down } of changes) {
    if (line >= to) moved += down;
    else if (line >= from) return undefined;
  }
  return moved;
}
