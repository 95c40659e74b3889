import { at } from "../base/known";
import type { Hunk } from "./hunk";

/**
 * Replaces whole lines of one text: zero-based, half open, counted as `splitLines` counts. Where both numbers
 * are equal the lines are inserted before that line.
 */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

/** An edit with the workspace-relative path of the file that it changes. */
export interface FileEdit extends LineEdit {
  readonly file: string;
}

/** A text with whole hunks of it put in. */
export function takeHunks(base: string, hunks: readonly Hunk[]): string {
  return applyEdits(
    base,
    hunks.map(({ baseStart, baseLines, proposedLines }) => ({
      startLine: baseStart - 1,
      endLine: baseStart - 1 + baseLines.length,
      lines: proposedLines,
    })),
  );
}

/** The lines of a text without their ends; a final line end gives a last empty line. */
export function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

/**
 * Applies edits that do not overlap. Untouched lines keep their own ends, new lines get the end that most
 * lines have; a last line has none.
 */
export function applyEdits(text: string, edits: readonly LineEdit[]): string {
  const windowsEnds = text.split("\r\n").length - 1;
  const usual = windowsEnds * 2 > text.split("\n").length - 1 ? "\r\n" : "\n";
  const parts = [...text.matchAll(/([^\n]*?)(\r?\n|$)/g)].map((match) => ({
    text: at(match, 1),
    end: at(match, 2),
  }));
  const lines = parts.slice(0, splitLines(text).length);
  for (const edit of [...edits].sort((a, b) => b.startLine - a.startLine)) {
    lines.splice(
      edit.startLine,
      edit.endLine - edit.startLine,
      ...edit.lines.map((line) => ({ text: line, end: usual })),
    );
  }
  return lines
    .map((line, index) => line.text + (index === lines.length - 1 ? "" : line.end || usual))
    .join("");
}
