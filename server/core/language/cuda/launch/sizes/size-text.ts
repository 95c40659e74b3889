import { parseSizeExpression, variablesOf } from "../../../../workload/size-expression";

/** So often names in an expression are followed to what they stand for. */
const mostSteps = 8;
/** Longer expressions say less than a size of its own. */
export const mostCharacters = 160;

const cast =
  /\bstatic_cast\s*<[^<>()]*>\s*(?=\()|\(\s*(?:const\s+)?(?:unsigned|signed|long|short|int|size_t|u?int\d+_t)(?:\s+\w+)*\s*\)/g;
const suffix = /(?<=\b(?:0[xX][\da-fA-F]+|\d+))[uUlL]+\b/g;

/** What an expression of C++ is followed by. */
interface Meanings {
  /** What a name stands for; undefined where it is the end. */
  readonly meaningOf: (name: string) => string | undefined;
  /** The text with what it asks of objects as names of their own. */
  readonly named?: (text: string) => string;
}

/**
 * An expression of C++ without casts, of which all names are followed to what code computes them from;
 * undefined where that is too long.
 */
export function followed(
  text: string,
  { meaningOf, named = (plain) => plain }: Meanings,
): string | undefined {
  let now = text;
  for (let step = 0; step < mostSteps; step += 1) {
    const plain = named(
      now
        .replace(cast, "")
        .replace(suffix, "")
        .replace(/\b(?:std|at|c10)::/g, ""),
    );
    const next = plain.replace(/\b[A-Za-z_]\w*\b(?!\s*\()/g, (word) => {
      const meaning = meaningOf(word);
      if (meaning === undefined || meaning === word) return word;
      return /^\w+$/.test(meaning) ? meaning : `(${meaning})`;
    });
    if (next === plain) return plain;
    if (next.length > 4 * mostCharacters) return undefined;
    now = next;
  }
  return undefined;
}

/** The names in an expression of sizes; undefined where it is none. */
export function namesInSize(text: string): readonly string[] | undefined {
  const parsed = parseSizeExpression(text);
  return parsed.ok ? variablesOf(parsed.value) : undefined;
}

/**
 * An expression without parentheses around the whole of it or around one name or number; those of a cast, as
 * `(float)`, stay.
 */
export function bare(text: string): string {
  let now = text.trim();
  for (;;) {
    const next = now.replace(
      /\(\s*(?!(?:float|double)\s*\))([A-Za-z_]\w*|\d+)\s*\)/g,
      (whole, inner: string, at: number) => (/\w\s*$/.test(now.slice(0, at)) ? whole : inner),
    );
    if (next === now) break;
    now = next;
  }
  const isWhole = now.startsWith("(") && now.endsWith(")") && closesLast(now);
  return isWhole ? bare(now.slice(1, -1)) : now;
}

function closesLast(text: string): boolean {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}
