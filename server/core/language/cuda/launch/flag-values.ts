import { type Constants, constantValue } from "../constants";

/**
 * Arrays whose elements nothing is done with but to ask whether they are 0, or some small number, or below
 * it: flags, masks, states, letters of a small alphabet. By the names of their pointers the greatest number
 * that makes a difference; `body`: of the kernel.
 */
export function flagValues(
  body: string,
  pointers: readonly string[],
  constants: Constants,
): ReadonlyMap<string, number> {
  const code = body.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  return new Map(
    pointers.flatMap((name): readonly (readonly [string, number])[] => {
      const asked = askedOf(code, elementsOf(code, name), constants);
      return asked === undefined || asked.length === 0 ? [] : [[name, Math.max(...asked)]];
    }),
  );
}

/** States are few. */
const mostStates = 16;

interface Use {
  readonly before: string;
  readonly after: string;
}

/** What stands around each element of an array. */
function elementsOf(code: string, name: string): readonly Use[] {
  return [...code.matchAll(new RegExp(`\\b${name}\\s*\\[`, "g"))].map(({ index, 0: match }) => {
    let end = index + match.length;
    for (let depth = 1; depth > 0 && end < code.length; end += 1) {
      if (code[end] === "[") depth += 1;
      if (code[end] === "]") depth -= 1;
    }
    return { before: code.slice(0, index), after: code.slice(end) };
  });
}

/** The numbers that all uses ask for; undefined where one does something else. */
function askedOf(code: string, uses: readonly Use[], constants: Constants): readonly number[] | undefined {
  const each = uses.map((use) => askedBy(code, use, constants));
  if (each.some((numbers) => numbers === undefined)) return undefined;
  const numbers = each.flatMap((some) => some ?? []);
  return numbers.every((value) => value >= 0 && value <= mostStates) ? numbers : undefined;
}

function askedBy(code: string, { before, after }: Use, constants: Constants): readonly number[] | undefined {
  const [, local] = declared.exec(before) ?? [];
  if (local !== undefined && /^\s*\)?\s*;/.test(after))
    return askedOf(code, localsOf(code, local), constants);
  if (lowBits.test(after)) return [];
  const bound = boundOf(after, constants);
  if (bound !== undefined) return [bound];
  const [, compared] = /^\s*[!=]=\s*(-?\w+)(?:\.0*)?f?\b/.exec(after) ?? [];
  if (compared !== undefined) {
    const value = constantValue(compared.replace(/(?<=\d)[uUlL]+$/, ""), constants);
    return value === undefined || value < 0 ? undefined : [Math.max(1, value)];
  }
  if (/\bswitch\s*\(\s*$/.test(before)) {
    const cases = [...after.matchAll(/\bcase\s+(\w+)\s*:/g)].map(([, text = ""]) =>
      constantValue(text, constants),
    );
    return cases.every((value): value is number => value !== undefined) ? cases : undefined;
  }
  const isAsked = /(?:!|\b(?:if|while)\s*\(|&&|\|\|)\s*$/.test(before);
  return isAsked && /^\s*(?:\)|&&|\|\||\?)/.test(after) ? [1] : undefined;
}

/** What an element is kept in, as it is, loaded through the read-only path or cast. */
const declared = /\b(?:const\s+)?\w+\s+(\w+)\s*=\s*(?:\(\s*\w+\s*\)\s*)?(?:__ldg\s*\(\s*&\s*)?$/;
/** A few of its bits are taken, which is done with letters of an alphabet and asks for nothing. */
const lowBits = /^\s*&\s*(?:1|3|7|15|0x[137fF])[uUlL]*\b/;
/** With smaller bounds an element is asked for its sign. */
const leastBound = 2;

/** The least number that is on the other side of a bound, or the bound where that is it. */
function boundOf(after: string, constants: Constants): number | undefined {
  const [, operator, text = ""] = /^\s*([<>]=?)(?![<>])\s*(\w+)\b(?!\.)/.exec(after) ?? [];
  if (operator === undefined) return undefined;
  const value = constantValue(text.replace(/(?<=\d)[uUlL]+$/, ""), constants);
  if (value === undefined || !Number.isInteger(value) || value < leastBound) return undefined;
  return operator === "<" || operator === ">=" ? value : value + 1;
}

/** What stands around each use of a local variable, its declaration excepted. */
function localsOf(code: string, name: string): readonly Use[] {
  return [...code.matchAll(new RegExp(`\\b${name}\\b`, "g"))]
    .map(({ index }) => ({ before: code.slice(0, index), after: code.slice(index + name.length) }))
    .filter(({ after, before }) => !(/^\s*=[^=]/.test(after) && /\w\s+$/.test(before)));
}
