import type { KernelSpec } from "../spec";
import type { UnknownPart } from "../spec-write";

/** What comments say of the sizes of a kernel: proposals for its largest shape, never facts. */

const comment = /\/\/[^\n]*|\/\*[^]*?\*\//g;
/** `n = 1 << 20`, `dim: 24`, `rows is typically 4096`, `N = 2^18`. */
const value = String.raw`(\d[\d',_]*)(?:\s*(<<|\^|\*\*)\s*(\d+))?(?!\.\d|\s*[-/%])`;
const words = String.raw`(?:\s*(?:==?|:|is|are|of|~|usually|typically|about|e\.g\.|i\.e\.))+\s*`;
/** `bins <= 64`, `taps of up to 31`. */
const limit = String.raw`(?:\s*(?:is|are|of))*\s*(?:<=|≤|at most|up to|no more than)\s*`;
/** `1920x1080`, `1920 × 1080`. */
const frame = /\b(\d{2,5})\s*[x×]\s*(\d{2,5})\b(?!\s*[x×])/;
const acrossName = /^(?:.*_)?(?:w|width|cols|columns|nx|xres)$/i;
const downName = /^(?:.*_)?(?:h|height|rows|ny|yres)$/i;

/** What comments say of sizes, by their names. */
interface Stated {
  readonly sizes: Readonly<Record<string, number>>;
  /** What a size is said not to be larger than. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Numbers that the comments of a text say of sizes. */
export function statedSizes(text: string, names: readonly string[]): Stated {
  const said = [...text.matchAll(comment)].map(([each]) => each).join("\n");
  const limits = numbersBehind(names, limit, said);
  const found = new Map([...limits, ...numbersBehind(names, words, said)]);
  const [, across, down] = frame.exec(said) ?? [];
  const widths = names.filter((name) => acrossName.test(name));
  const heights = names.filter((name) => downName.test(name));
  if (across !== undefined && widths.length > 0 && heights.length > 0) {
    for (const name of widths) if (!found.has(name)) found.set(name, Number(across));
    for (const name of heights) if (!found.has(name)) found.set(name, Number(down));
  }
  return { sizes: Object.fromEntries(found), limits: Object.fromEntries(limits) };
}

/** The number that stands behind each name with such words between them. */
function numbersBehind(names: readonly string[], between: string, said: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) {
    const match = new RegExp(`(?<![\\w.])${name}\\b${between}${value}`, "i").exec(said);
    const number = match === null ? undefined : numberOf(match);
    if (number !== undefined) found.set(name, number);
  }
  return found;
}

function numberOf([, digits = "", operator, exponent]: RegExpExecArray): number | undefined {
  const base = Number(digits.replace(/[',_]/g, ""));
  const power = Number(exponent ?? 0);
  if (operator === undefined) return base > 0 ? base : undefined;
  const result = operator === "<<" ? base * 2 ** power : base ** power;
  return Number.isSafeInteger(result) && result > 0 ? result : undefined;
}

/** A spec with sizes within their limits, and a word on what its largest shape has from comments. */
export function withStated<
  Found extends { readonly spec: KernelSpec; readonly unknowns: readonly UnknownPart[] },
>(found: Found, { sizes: stated, limits }: Stated): Found {
  const { spec, unknowns } = found;
  const within = ([name, size]: readonly [string, number]) => [name, Math.min(size, limits[name] ?? size)];
  const shapes = spec.shapes.map(({ sizes, ...shape }) => ({
    ...shape,
    sizes: Object.fromEntries(Object.entries(sizes).map(within)),
  }));
  const [largest] = shapes;
  const taken = Object.entries(stated).filter(([name, size]) => largest?.sizes[name] === size);
  if (taken.length === 0) return { ...found, spec: { ...spec, shapes } };
  const said = taken.map(([name, size]) => `${name}=${size}`).join(" ");
  const sentence = `the first shape has what comments of the source say: ${said}. If that is not meant, write your own.`;
  const origins = { ...spec.origins, shapes: "inferred" as const };
  return {
    ...found,
    spec: { ...spec, shapes, origins },
    unknowns: [{ path: "shapes", sentence }, ...unknowns],
  };
}
