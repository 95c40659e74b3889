import type { SizeParts } from "../../../../workload/probe/settings";
import { type Constants, constantValue } from "../../constants";

/** Fewer of a size than this are in any probe. */
const leastDivisor = 16;
const mostDivisor = 4096;
/** What is over where a size is split into parts of a constant: the last part is not whole. */
const rest = 5;

/**
 * Parameters that a kernel divides by a constant: with fewer it has no work (`epochs = samples / 256`). Those
 * of which it takes what is over are as large as that gets (`slot = t % 64`): what they lead into is then
 * touched to its end.
 */
export function sizeParts(
  body: string,
  names: readonly string[],
  constants: Constants,
): ReadonlyMap<string, SizeParts> {
  const code = body.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  const divisor = (name: string, sign: string): number | undefined => {
    const [, text = ""] =
      new RegExp(String.raw`(?<![\w.>/*])${name}\s*${sign}\s*(\w+)\b(?!\.)`).exec(code) ?? [];
    const value = constantValue(text, constants);
    return value !== undefined && Number.isInteger(value) && value <= mostDivisor ? value : undefined;
  };
  return new Map(
    names.flatMap((name): readonly (readonly [string, SizeParts])[] => {
      const turns = divisor(name, "%");
      if (turns !== undefined && turns > 1) return [[name, { of: turns, rest: -1 }]];
      const parts = divisor(name, "/");
      return parts !== undefined && parts >= leastDivisor ? [[name, { of: parts, rest }]] : [];
    }),
  );
}
