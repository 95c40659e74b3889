/** A line of a source; paths as the compiler was given them. */
export interface Place {
  readonly file: string;
  /** One-based; 0 where the compiler names none. */
  readonly line: number;
}

/** One instruction, or one operation of an intermediate representation, as text. */
export interface CodeRow {
  readonly text: string;
  /** The line that it comes from, and behind it the calls that this line was inlined into. */
  readonly places: readonly Place[];
}

/** A range of lines of a file, both ends included, by its path in the workspace. */
export interface LineRange {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** The line of a range that a row belongs to: the innermost one that lies in it. */
export function lineIn({ places }: CodeRow, { file, first, last }: LineRange): number | undefined {
  return places.find((place) => place.line >= first && place.line <= last && isSameFile(place.file, file))
    ?.line;
}

/**
 * Whether a compiler means a file of the workspace: it may have been given a longer path of the same file.
 */
export function isSameFile(given: string, path: string): boolean {
  return given === path || given.endsWith(`/${path}`);
}
