import { at } from "../../base/known";
import type { SourceSymbol } from "../facts";

const declaration =
  /^[ \t]*(?:\.(?:visible|extern|weak)[ \t]+)*\.(entry|func)\b(?:[ \t]*\([^)]*\))?\s*([\w$%]+)/gm;

/**
 * Entries and functions of a PTX text (PTX ISA, kernel and function directives). There is no grammar for PTX:
 * the directives are read by lines.
 */
export function findSymbols(text: string): readonly SourceSymbol[] {
  const starts = lineStarts(text);
  return [...text.matchAll(declaration)].map((match) => {
    const name = at(match, 2);
    const nameAt = match.index + match[0].length - name.length;
    const from = positionAt(starts, match.index + (match[0].length - match[0].trimStart().length));
    const end = text.indexOf("\n}", match.index);
    const nameFrom = positionAt(starts, nameAt);
    return {
      name,
      detail: `.${at(match, 1)}`,
      kind: match[1] === "entry" ? "kernel" : "function",
      range: { start: from, end: positionAt(starts, end < 0 ? text.length : end + 2) },
      nameRange: {
        start: nameFrom,
        end: { line: nameFrom.line, character: nameFrom.character + name.length },
      },
    };
  });
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): { line: number; character: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(starts, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - at(starts, low) };
}
