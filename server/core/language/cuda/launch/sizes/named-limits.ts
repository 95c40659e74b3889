import { nameWords } from "../../../../base/symbols/name-words";
import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import { constantValue, type Constants } from "../../constants";
import { relationOf } from "./read-relations";

/** Words that say that a name is a number of something, and nothing of what. */
const counting = new Set(["n", "nb", "num", "nr", "count", "number", "of"]);
const greatest = "max";
/** Above it no size is made up. */
const mostLimit = 2 ** 20;

/**
 * Sizes that constants are called the greatest of: `MAX_JOINTS` of `nJoints`, `kMaxHeads` of `num_heads`. A
 * reading, and never a fact.
 */
export function namedLimits(names: readonly string[], constants: Constants): readonly SizeRelation[] {
  const limits = [...constants.keys()].flatMap((constant) => {
    const words = nameWords(constant).filter((word, index) => index > 0 || word !== "k");
    const value = words.includes(greatest) ? constantValue(constant, constants) : undefined;
    if (value === undefined || !Number.isInteger(value) || value < 2 || value > mostLimit) return [];
    return { of: countedBy(words.filter((word) => word !== greatest)), value };
  });
  const sizes = new Set(names);
  return names.flatMap((name) => {
    const own = countedBy(nameWords(name));
    const most = limits.filter(({ of }) => of !== "" && of === own);
    return most.flatMap(({ value }) => relationOf(name, "<=", String(value), sizes) ?? []);
  });
}

/** What a name counts, in the singular; the name itself where it says nothing else: `n`. */
function countedBy(words: readonly string[]): string {
  const others = words.filter((word) => !counting.has(word));
  return (others.length > 0 ? others : words).join(" ").replace(/s$/, "");
}
