/** Nouns that texts have behind a number, as they stand there behind one. */
const singulars: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...["access", "launch", "pass", "patch"].map((noun) => [`${noun}es`, noun] as const),
    ...[
      ...["barrier", "bin", "block", "byte", "candidate", "case", "change", "column", "configuration"],
      ...["division", "element", "event", "file", "group", "instruction", "item", "kernel", "lane", "line"],
      ...["multiprocessor", "output", "point", "program", "register", "request", "result", "row", "sector"],
      ...["shape", "thread", "tile", "turn", "value", "warp", "wavefront"],
    ].map((noun) => [`${noun}s`, noun] as const),
  ].sort(),
);

const plurals = Object.keys(singulars).join("|");
/** A line is numbered, and may launch or pass something. Of `rows=1 columns=10` each is a size. */
const oneOfThem = new RegExp(`(?<![\\d.,−=-]|\\blines? )1 (${plurals})\\b`, "g");
const behindPlace = new RegExp(`^ (${plurals})\\b`);

/** A text whose blanks were filled with numbers: `1 byte` where it says `1 bytes`. */
export function withSingulars(text: string): string {
  return text.replace(oneOfThem, (written, noun: string) => `1 ${singulars[noun] ?? written}`);
}

/** A part of a pattern that comes behind a blank, such that it matches one as well as several. */
export function oneOrSeveral(literal: string): string {
  return literal.replace(
    behindPlace,
    (written, noun: string) => ` (?:${noun}|${singulars[noun] ?? written})`,
  );
}

/** What of a part behind a blank is the same for one and for several. */
export function whateverTheNumber(literal: string): string {
  return literal.replace(behindPlace, "");
}
