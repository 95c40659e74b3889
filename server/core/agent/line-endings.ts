import type { SourceTree } from "../judge/candidate";

/**
 * Gives a candidate's files the line endings of the originals, so that rewriting one line never converts a
 * whole file.
 */
export function keepLineEndings(tree: SourceTree, before: SourceTree): SourceTree {
  const kept = Object.entries(tree).map(
    ([path, text]) =>
      [path, endsLinesAsWindowsDoes(before[path] ?? "") ? text.replace(/\r?\n/g, "\r\n") : text] as const,
  );
  return Object.fromEntries(kept);
}

/**
 * Whether every line of the text ends with a carriage return and a line feed; mixed files stay as they are.
 */
function endsLinesAsWindowsDoes(text: string): boolean {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
}
