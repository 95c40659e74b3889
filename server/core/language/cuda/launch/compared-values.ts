import { type Constants, constantValue } from "../constants";
import { flagValues } from "./flag-values";

/** What headers of C define. */
const limits: Readonly<Record<string, number>> = {
  INT_MAX: 2 ** 31 - 1,
  INT_MIN: -(2 ** 31),
  INT32_MAX: 2 ** 31 - 1,
  UINT_MAX: 2 ** 32 - 1,
  UINT32_MAX: 2 ** 32 - 1,
};

/**
 * Numbers that elements have to equal for a kernel to go on: `if (label[i] == NONE)`, also through a local,
 * and `atomicCAS(&owner[i], FREE, me)`. By the names of their pointers; `body`: of the kernel.
 */
function comparedValues(
  body: string,
  pointers: readonly string[],
  constants: Constants,
): ReadonlyMap<string, number> {
  const code = body.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return new Map(
    pointers.flatMap((name): readonly (readonly [string, number])[] => {
      const texts = comparisons(code, name);
      const values = texts.map((text) => limits[text] ?? constantValue(text, constants));
      const [value] = values.filter((each) => each !== undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function comparisons(code: string, name: string): readonly string[] {
  const element = String.raw`\b${name}\s*\[[^;{}=]*?\](?:\.\w+)?`;
  const locals = [...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${element}\s*;`, "g"))];
  const read = [element, ...locals.map(([, local]) => String.raw`\b${local}\b`)].join("|");
  const forms = [
    String.raw`(?:${read})\s*==\s*(-?\w+)`,
    String.raw`\batomicCAS\s*\(\s*(?:&\s*${element}|${name}\s*\+[^,]*)\s*,\s*(-?\w+)\s*,`,
  ];
  return forms.flatMap((form) => [...code.matchAll(new RegExp(form, "g"))].map(([, text = ""]) => text));
}

/** What a kernel asks of the elements of its arrays: see `comparedValues` and `flagValues`. */
export function askedValues(
  body: string,
  pointers: readonly string[],
  constants: Constants,
): Readonly<Record<"compared" | "flags", ReadonlyMap<string, number>>> {
  return {
    compared: comparedValues(body, pointers, constants),
    flags: flagValues(body, pointers, constants),
  };
}
