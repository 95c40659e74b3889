/** From where to where values lie that a kernel compares with numbers of its text. */
interface ComparedRange {
  readonly low: number;
  readonly high: number;
}

const figure = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const comments = /\/\/[^\n]*|\/\*[^]*?\*\/|^\s*#(?!\s*(?:define|if|else|endif)).*$/gm;
/** What usual values, floats and whole numbers, hardly ever go beyond. */
const usual = { float: 3, whole: 100 };
/** What is greater stands for no value at all: `best > -1e30f`. */
const greatest = 1e6;

/**
 * Where values of arrays lie, by the numbers that the text of a kernel compares them with, also through a
 * local variable: around all of these, so that each comparison is true for some. Arrays whose usual values
 * meet each of them are left out. `names`: of the arrays, with what they hold.
 */
export function comparedRanges(
  text: string,
  kernel: string,
  names: ReadonlyMap<string, "float" | "whole">,
): ReadonlyMap<string, ComparedRange> {
  const body = bodyOf(text, kernel).replace(comments, " ");
  const found = [...names].flatMap(([name, holds]) => {
    const numbers = numbersComparedWith(body, name).filter((number) => Math.abs(number) <= greatest);
    if (numbers.every((number) => Math.abs(number) <= usual[holds])) return [];
    return [[name, around(numbers, { holds, body })] as const];
  });
  return new Map(found);
}

/** The text of a kernel, up to the next one. */
function bodyOf(text: string, kernel: string): string {
  const name = kernel.split("::").at(-1) ?? kernel;
  const start = text.search(new RegExp(String.raw`(?:__global__[^;{}]*?|\bdef\s+)\b${name}\s*\(`));
  if (start < 0) return "";
  const rest = text.slice(start + 1);
  const end = rest.search(/\b__global__\b|^@(?:triton\.)?jit\b/m);
  return end < 0 ? rest : rest.slice(0, end);
}

function numbersComparedWith(body: string, name: string): readonly number[] {
  const element = String.raw`\b${name}\s*\[[^;{}=<>]*?\](?:\.\w+)?`;
  const loaded = String.raw`(?:${element}|tl\.load\(\s*${name}\b[^\n;]*|__ldg\(\s*&?\s*${name}\b[^;]*)`;
  const given = new RegExp(String.raw`\b(\w+)\s*=\s*(?:\(\w+\)\s*)?${loaded}\s*(?:[;,\n]|$)`, "g");
  const locals = [...body.matchAll(given)].map(([, local]) => String.raw`(?<![\w.])${local}\b`);
  const read = `(?:${[element, ...locals].join("|")})`;
  const forms = [
    String.raw`${read}\s*[<>]=?\s*(${figure})[fFlL]?(?![\w.\[])`,
    String.raw`(?<![\w.])(${figure})[fFlL]?\s*[<>]=?\s*${read}`,
  ];
  return forms.flatMap((form) =>
    [...body.matchAll(new RegExp(form, "g"))].map(([, number]) => Number(number)),
  );
}

/** What is taken of values above zero alone. */
const ofPositive = /\b(?:__|tl\.)?(?:r?sqrt|log(?!1p)|pow)\w*\s*\(/;

/**
 * A range around several numbers, a quarter of their span wider at both ends; with a single one, from usual
 * values to beyond it: most of what is told apart may lie far from it.
 */
function around(
  numbers: readonly number[],
  { holds, body }: { readonly holds: "float" | "whole"; readonly body: string },
): ComparedRange {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const isSingle = least === most;
  const margin = isSingle ? Math.abs(most) / 2 : (most - least) / 4;
  const low = isSingle ? Math.min(-usual[holds], least - margin) : least - margin;
  const high = isSingle ? Math.max(usual[holds], most + margin) : most + margin;
  // Several bounds above zero are those of something that has no sign.
  const isUnsigned = least >= 0 && (!isSingle || ofPositive.test(body));
  const from = isUnsigned ? Math.max(0, low) : low;
  return holds === "whole" ? { low: Math.floor(from), high: Math.ceil(high) } : { low: from, high };
}
