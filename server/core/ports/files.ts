/**
 * Reading files below one root. Paths are POSIX and relative; an implementation resolves links and refuses
 * what leaves the root.
 */
export interface FileReader {
  /** The text, or undefined when there is no such file. Throws OperationalError `path-outside-workspace`. */
  read(path: string): Promise<string | undefined>;
  /**
   * Paths below `folder` that end in one of the suffixes, sorted; ignored folders (.git, node_modules, dist,
   * __pycache__) left out.
   */
  list(folder: string, suffixes: readonly string[]): Promise<readonly string[]>;
}

/** Making new files below one root, under the same rules. */
export interface FileMaker {
  /**
   * Writes a file that is not there yet. Throws OperationalError `path-outside-workspace`, or `disk-failed`
   * where it is there or its folder is not.
   */
  create(path: string, text: string): Promise<void>;
}

/** A file, by its path relative to the root, and what stands in it. */
export interface FoundText {
  readonly path: string;
  readonly text: string;
}

/** Searching the text files below one root, under the same rules. */
export interface TextSearch {
  /**
   * Files that end in one of the suffixes and hold a word that stands by itself, in the order of their paths.
   * `word`: an identifier. What is no text in UTF-8 (or UTF-16 with its mark) holds none.
   */
  search(word: string, suffixes: readonly string[]): Promise<readonly FoundText[]>;
}
