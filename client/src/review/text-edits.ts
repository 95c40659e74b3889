import type { LineEdit } from "../../../server/core/review/line-edit";

/** A replacement as positions in a document: from the start of one line to the start or end of another. */
interface Replacement {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/**
 * Turns an edit of whole lines into positions. Inside a text each line carries its line end with it; at the
 * end of the text the last line has none, so the line end before it is what comes or goes.
 * @param lines the lines of the present text, as `splitLines` gives them
 * @param eol the document's own line end
 */
export function toReplacement(lines: readonly string[], edit: LineEdit, eol: string): Replacement {
  const { startLine, endLine } = edit;
  const last = lines.length - 1;
  if (endLine <= last)
    return {
      startLine,
      startCharacter: 0,
      endLine,
      endCharacter: 0,
      text: edit.lines.map((line) => line + eol).join(""),
    };
  const end = { endLine: last, endCharacter: lines[last]?.length ?? 0 };
  if (startLine > last)
    return {
      startLine: last,
      startCharacter: end.endCharacter,
      ...end,
      text: edit.lines.map((line) => eol + line).join(""),
    };
  if (edit.lines.length > 0 || startLine === 0)
    return { startLine, startCharacter: 0, ...end, text: edit.lines.join(eol) };
  return { startLine: startLine - 1, startCharacter: lines[startLine - 1]?.length ?? 0, ...end, text: "" };
}
