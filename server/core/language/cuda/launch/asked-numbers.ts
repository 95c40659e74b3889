import { type Constants, constantValue } from "../constants";

/** A number that an element of an array is compared with: a constant, or a parameter by its name. */
export interface AskedNumber {
  readonly of: number | string;
  /** What is to be added for the comparison to hold: -1 of `level[v] < 0`. */
  readonly step: -1 | 0 | 1;
}

const steps: Readonly<Record<string, AskedNumber["step"]>> = {
  "==": 0,
  "!=": 0,
  "<=": 0,
  ">=": 0,
  "<": -1,
  ">": 1,
};
const equalities = ["==", "!="];

/**
 * The numbers that elements of arrays of whole numbers are compared with, also through a local variable, by
 * the names of their pointers. `numbers`: parameters that are whole numbers; only equality with one counts.
 */
export function askedNumbers(
  body: string,
  { pointers, numbers }: { readonly pointers: readonly string[]; readonly numbers: readonly string[] },
  constants: Constants,
): ReadonlyMap<string, readonly AskedNumber[]> {
  const code = body.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return new Map(
    pointers.flatMap((name): readonly (readonly [string, readonly AskedNumber[]])[] => {
      const asked = comparisonsWith(code, name).flatMap(([operator, text]): readonly AskedNumber[] => {
        const step = steps[operator] ?? 0;
        if (numbers.includes(text)) return equalities.includes(operator) ? [{ of: text, step }] : [];
        const value = constantValue(text, constants);
        return value === undefined || !Number.isInteger(value) ? [] : [{ of: value, step }];
      });
      return asked.length === 0 ? [] : [[name, asked]];
    }),
  );
}

/** Each comparison of an element: its operator, and what stands behind it. */
function comparisonsWith(code: string, name: string): readonly (readonly [string, string])[] {
  const element = String.raw`\b${name}\s*\[[^;{}=]*?\](?:\.\w+)?`;
  const locals = [...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${element}\s*;`, "g"))];
  const read = [element, ...locals.map(([, local]) => String.raw`\b${local}\b`)].join("|");
  const before = new RegExp(String.raw`(?:${read})\s*([=!<>]=|[<>])(?![<>])\s*(-?\w+)`, "g");
  const behind = new RegExp(String.raw`(?<![\w.])(-?\w+)\s*([=!]=)\s*(?:${read})`, "g");
  return [
    ...[...code.matchAll(before)].map(([, operator = "", text = ""]) => [operator, text] as const),
    ...[...code.matchAll(behind)].map(([, text = "", operator = ""]) => [operator, text] as const),
  ];
}
