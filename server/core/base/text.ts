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
