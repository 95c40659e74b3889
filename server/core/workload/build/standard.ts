import type { BuildPart } from "../build-settings";

/** What the libraries of the toolkit (Thrust, CUB, libcu++) need. */
const least = "c++17";
const older = /^c\+\+(?:98|03|0x|11|1y|14)$/;

/**
 * A standard that a build file names and that is too old for the headers of this toolkit becomes the oldest
 * one that suits them: the build was written for an older toolkit. What the user states is kept.
 */
export function withNewerStandard(part: BuildPart): BuildPart {
  const { standard, notes = [] } = part;
  if (standard === undefined || standard.origin === "user" || !older.test(standard.value)) return part;
  const raised = `${standard.value} is taken for ${least}`;
  const note = `${standard.where}: ${raised}, which the toolkit's libraries need`;
  return { ...part, standard: { ...standard, value: least }, notes: [...notes, note] };
}

/** What only a later standard than the compiler's own choice has. */
const laterHeaders =
  /^\s*#\s*include\s*<(?:ranges|concepts|span|numbers|bit|format|source_location|compare)>/;
const laterNames = new RegExp(
  `\\bstd::(?:${[
    "ranges|span|numbers|bit_cast|format|source_location|type_identity(?:_t)?|remove_cvref(?:_t)?",
    "same_as|integral|floating_point|(?:un)?signed_integral|convertible_to|derived_from|invocable|totally_ordered",
    "popcount|has_single_bit|bit_(?:ceil|floor|width)|count[lr]_(?:zero|one)|midpoint|lerp|erase_if",
  ].join("|")})\\b`,
);
/** A concept, what is asked of the parameters of a template, and a lambda that has some. */
const laterWords = [
  /\bconcept\s+\w+\s*=/,
  /\btemplate\s*<[^;{}()]*>\s*requires\b|^\s*requires\s+[\w:]+\s*</,
  /\]\s*<\s*(?:typename|class|int|auto)\b[^;{}()]*>\s*\(/,
  /\bcon(?:steval|stinit)\b/,
];
const later = [laterHeaders, laterNames, ...laterWords];
const comment = /^\s*(?:\/\/|\*)/;

/** The standard that sources need where none is stated, by the first line that has something of it. */
export function neededStandard(sources: Readonly<Record<string, string>>): BuildPart {
  for (const [path, text] of Object.entries(sources)) {
    const line = text
      .split("\n")
      .findIndex((each) => !comment.test(each) && later.some((pattern) => pattern.test(each)));
    if (line >= 0) return { standard: { value: "c++20", origin: "inferred", where: `${path}:${line + 1}` } };
  }
  return {};
}
