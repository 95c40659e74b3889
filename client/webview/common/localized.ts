/** Texts in the user's language by their English ones, as the editor hands them to an extension. */
export type Texts = Readonly<Record<string, string>>;

/** Name of the block of data in a page that holds its texts. */
export const textsId = "texts";

let known: Texts = {};

/** From now on texts are these; what they lack stays English. */
export function speak(texts: Texts): void {
  known = texts;
}

/** A text in the user's language. `{0}`, `{1}` … stand for the arguments. */
export function t(english: string, ...parts: readonly (string | number)[]): string {
  return (known[english] ?? english).replace(/\{(\d+)\}/g, (place, index: string) =>
    String(parts[Number(index)] ?? place),
  );
}
