import { nameWords } from "../../../../base/symbols/name-words";
import { stemOf } from "../../../../workload/comments/worded-sizes";
import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import { constantValue, type Constants } from "../../constants";
import { relationOf } from "./read-relations";

const greatest = "max";
/** Above it no size is made up. */
const mostLimit = 2 ** 20;

/**
 * Sizes that constants are called the greatest of: `MAX_JOINTS` of `nJoints`, `kMaxHeads` of `num_heads`. A
 * reading, and never a fact.
 */
export function namedLimits(names: readonly string[], constants: Constants): readonly SizeRelation[] {
  const limits = [...constants.keys()].flatMap((constant) => {
    const words = nameWords(constant.replace(/^k(?=[A-Z])/, ""));
    const value = words.includes(greatest) ? constantValue(constant, constants) : undefined;
    if (value === undefined || !Number.isInteger(value) || value < 2 || value > mostLimit) return [];
    return { of: stemOf(words.filter((word) => word !== greatest).join("_")), value };
  });
  const sizes = new Set(names);
  return names.flatMap((name) => {
    const own = stemOf(name);
    const most = limits.filter(({ of }) => of !== "" && of === own);
    return most.flatMap(({ value }) => relationOf(name, "<=", String(value), sizes) ?? []);
  });
}
