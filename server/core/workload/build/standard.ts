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
const laterNames = /\bstd::(?:ranges|span|numbers|bit_cast|format|same_as|integral|floating_point)\b/;
const comment = /^\s*(?:\/\/|\*)/;

/** The standard that sources need where none is stated, by the first line that has something of it. */
export function neededStandard(sources: Readonly<Record<string, string>>): BuildPart {
  for (const [path, text] of Object.entries(sources)) {
    const line = text
      .split("\n")
      .findIndex((each) => !comment.test(each) && (laterHeaders.test(each) || laterNames.test(each)));
    if (line >= 0) return { standard: { value: "c++20", origin: "inferred", where: `${path}:${line + 1}` } };
  }
  return {};
}
