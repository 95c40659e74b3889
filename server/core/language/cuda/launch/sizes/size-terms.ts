const whole = String.raw`(?:auto|int|long|unsigned|size_t|u?int(?:32|64)_t)`;
const before = String.raw`(?:(?:static|const|constexpr|unsigned|signed|long|short)\s+)*`;
/** One or more whole numbers that a statement declares: `const int oh = h - kh + 1, ow = w - kw + 1;`. */
const declaration = new RegExp(String.raw`(?<![\w<,(]\s*)${before}${whole}\s+(\w+\s*=[^;{}]+);`, "g");
const cast = new RegExp(String.raw`\(${before}${whole}\)`, "g");
const arithmetic = /^[\w\s+\-*/()]+$/;
/** Longer texts are no sizes that a reader would look for in an extent. */
const longest = 120;

/**
 * What the code of a text computes of sizes alone, as size expressions: the height of what a filter leaves,
 * the number of tiles. Of several that have a name in common the first is taken.
 */
export function sizeTerms(text: string, names: readonly string[]): readonly string[] {
  const code = text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  const locals = new Map<string, string>();
  for (const [, listed = ""] of code.matchAll(declaration)) {
    for (const each of partsOf(listed)) {
      const [, name = "", value = ""] = /^\s*(\w+)\s*=([^]*)$/.exec(each) ?? [];
      const term = value.replace(cast, "").trim();
      if (name === "" || locals.has(name) || !arithmetic.test(term)) continue;
      const resolved = term.replace(/[A-Za-z_]\w*/g, (word) => bracketed(locals.get(word)) ?? word);
      const used: readonly string[] = resolved.match(/[A-Za-z_]\w*/g) ?? [];
      const isOfSizes = used.length > 0 && used.every((word) => names.includes(word));
      if (isOfSizes && resolved.length <= longest) locals.set(name, resolved.replace(/\s+/g, " "));
    }
  }
  return [...new Set(locals.values())].filter((term) => !names.includes(term));
}

/** The parts between commas that no bracket encloses. */
function partsOf(listed: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of listed) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts;
}

function bracketed(term: string | undefined): string | undefined {
  return term === undefined || /^\w+$/.test(term) ? term : `(${term})`;
}
