const mostShown = 100;

/** Words of a line that says how a comparison came out, besides the verdict. */
const besides =
  "(?:the|all|tests?|results?|verif(?:y|ication)|valid(?:ity|ation)|checks?|comparison|status|overall|kernels?|gpu|cpu|host|device|is|are|has|have|do|does|with|and|vs|of|on)";
/** A line that says nothing else: `Test FAILED`, `Result = FAIL`, `verification: incorrect!`. No count. */
const failure = new RegExp(
  String.raw`^\W*(?:${besides}\W+)*(?:fail(?:ed|ure|s)?|incorrect|wrong|mismatch(?:ed)?|not\W+(?:match|correct|equal))\W*$`,
  "i",
);

/** The line by which a program says that its results are wrong; undefined where none says that alone. */
export function failureSaid(printed: string): string | undefined {
  return printed
    .split("\n")
    .find((line) => failure.test(line))
    ?.trim()
    .slice(0, mostShown);
}
