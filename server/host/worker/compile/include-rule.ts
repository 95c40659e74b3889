import type { Diagnostic } from "../../../core/judge/verdict";
import type { SourceTree } from "../../../core/judge/candidate";

/** What may stand between `#` and the name of a directive. */
const gap = String.raw`(?:[ \t\v\f]|/\*[\s\S]*?\*/)*`;

/**
 * Directives and operators by which a source reads other files, wherever they stand: in a comment or in a
 * text they are found too, which costs a refusal and never a leak.
 */
const reader = new RegExp(
  [
    String.raw`(?:#|%:)${gap}(?:include_next|include|import|embed)\b[^\n]*`,
    String.raw`__has_(?:include_next|include|embed)\b`,
    String.raw`incbin\b`,
  ].join("|"),
  "g",
);

/** Trigraphs replaced and lines joined: the text as the preprocessor divides it into tokens. */
function joined(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("??=", "#")
    .replaceAll("??/", "\\")
    .replace(/\\[ \t\v\f]*\n/g, "");
}

function readersIn(text: string): readonly string[] {
  return [...joined(text).matchAll(reader)].map(([found]) => found.replace(/\s+/g, " ").trim());
}

/**
 * The rule for machines whose compilers have no walls: what a candidate's changed files add to the ways in
 * which the same files of its baseline read others. Empty when they read what they read before, word for word
 * and by name (an include by a macro could name anything).
 */
export function addedReaders(baseline: SourceTree, tree: SourceTree): readonly string[] {
  return Object.entries(tree)
    .filter(([path, text]) => baseline[path] !== text)
    .flatMap(([path, text]) => {
      const known = new Set(readersIn(baseline[path] ?? ""));
      return readersIn(text).filter((found) => !known.has(found) || !/["<]/.test(found));
    });
}

/** A candidate that reads files which its baseline does not read, where compilers have no walls. */
export function refusedReader(added: readonly string[], file: string): Diagnostic {
  const message = `${added.join(", ")}: refused, because the baseline does not read this and compilers cannot be walled off on this machine. Leave it out, or let the user agree to do without walls`;
  return { severity: "error", file, line: 0, column: 0, message, source: "kernelwright" };
}
