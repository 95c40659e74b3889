/** Zero-based position as the language server protocol counts it: UTF-16 code units within a line. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Half-open range of text. */
export interface TextRange {
  readonly start: Position;
  readonly end: Position;
}

/** A range so many lines further down. */
export function movedDown({ start, end }: TextRange, lines: number): TextRange {
  return { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
}

/** Text that stands on one line: what ends lines in names is shown by its number, as `\x0a`. */
export function oneLine(text: string): string {
  return text.replace(
    /[\n\v\f\r\u0085\u2028\u2029]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
