import type { DataType } from "../../../workload/spec";
import { endOfValues } from "../../../workload/probe/range-names";

/** Between these lie a quarter of the whole numbers that are usually drawn, and small ones as probes have. */
const usualEnds = { low: -25, high: 25 } as const;

/**
 * Whole numbers that are the ends of a range of values: `lo <= v && v <= hi`, where v is an element. They are
 * no sizes; what they are made up to be lies apart. `names`: of the kernel's numbers.
 */
export function valueEnds(
  body: string,
  pointers: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const code = body.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  const ends = names.filter((name) => endOfValues(name) !== undefined);
  if (ends.length < 2 || pointers.length === 0) return new Map();
  const element = String.raw`\b(?:${pointers.join("|")})\s*\[[^;{}=<>]*?\](?:\.\w+)?`;
  const locals = [...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${element}\s*;`, "g"))];
  const read = `(?:${[element, ...locals.map(([, local]) => String.raw`\b${local}\b`)].join("|")})`;
  const compared = ends.filter((name) =>
    new RegExp(String.raw`${read}\s*[<>]=?\s*${name}\b|\b${name}\s*[<>]=?\s*${read}`).test(code),
  );
  const found = compared.flatMap((name) => {
    const end = endOfValues(name);
    return end === undefined ? [] : [[name, usualEnds[end]] as const];
  });
  return new Set(found.map(([, value]) => value)).size < 2 ? new Map() : new Map(found);
}

/** The end of a range as a number of a type has it: of numbers without a sign one above their least. */
export function endOf(dtype: DataType, end: number): number {
  return dtype.startsWith("u") ? Math.max(1, end) : end;
}
