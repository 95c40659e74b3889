/** What says that an array ascends. */
const ascends = String.raw`(?:sorted|ascending|(?:strictly\s+)?increasing|monotonic(?:ally)?(?:\s+increasing)?|non-?decreasing|in\s+(?:ascending\s+)?order)`;
/** What says that it does not, or goes the other way. */
const otherwise = /\b(?:un|not\s+|need\s+not\s+be\s+)sorted\b|\bdescend|\b(?<!non-?)decreas|\bnon-?increas/i;

/**
 * Arrays of which comments of a source say that they ascend: `const float* time; // strictly increasing`, or
 * `// knots are sorted`.
 */
export function saidAscending(text: string, names: readonly string[]): ReadonlySet<string> {
  const lines = text.split("\n");
  return new Set(names.filter((name) => lines.some((line) => saysSo(line, name))));
}

function saysSo(line: string, name: string): boolean {
  const start = line.search(/\/\/|\/\*|^\s*\*|#(?!\s*(?:include|define|if|endif|else|pragma))/);
  if (start < 0 || otherwise.test(line.slice(start))) return false;
  const [code, comment] = [line.slice(0, start), line.slice(start)];
  const isDeclared = new RegExp(String.raw`[*&]\s*(?:__restrict__\s*)?${name}\s*[,);]*\s*$`).test(code);
  if (isDeclared) return new RegExp(String.raw`\b${ascends}\b`, "i").test(comment);
  if (new RegExp(String.raw`\b${name}s?(?:\[\w*\])?[\s:][^.;,]*\b${ascends}\b`, "i").test(comment))
    return true;
  // Of `cuts` a comment may say "cut points are sorted".
  const stem = name.length > 3 ? name.replace(/s$/, "") : name;
  const verb = String.raw`(?:are|is|must\s+be|have\s+to\s+be|come)`;
  return new RegExp(String.raw`\b${stem}\s+\w+\s+${verb}\b[^.;,]*\b${ascends}\b`, "i").test(comment);
}
