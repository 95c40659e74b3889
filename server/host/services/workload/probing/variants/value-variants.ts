import type { AskedValues } from "../../../../../core/language/cuda/launch/compared-values";
import type { PlannedArgument } from "../arguments/planned-argument";
import { type ContentVariant, valuesOf } from "./content-variants";

/** Launches of a probe that each have another of the values that elements are asked for, at most. */
const mostValues = 8;

/**
 * One after the other all values that the text asks elements of whole numbers for; each variant has one of
 * them in all of a buffer's elements. The branch of one value may be the only place that touches a buffer.
 */
export function valueVariants(
  planned: readonly PlannedArgument[],
  { asked, flags }: Pick<AskedValues, "asked" | "flags">,
): readonly ContentVariant[] {
  const found = planned.flatMap((each) => {
    if (each.kind !== "buffer" || !/^u?int/.test(each.type.dtype)) return [];
    const most = flags.get(each.name);
    const values = most === undefined ? valuesOf(asked.get(each.name) ?? []) : upTo(most);
    // Of many letters the last is the one that nothing is compared with.
    const tried = values.length > mostValues ? values.slice(-1) : values;
    return tried.length === 0 ? [] : [{ name: each.name, values: tried }];
  });
  const count = Math.max(0, ...found.map(({ values }) => values.length));
  return upTo(count - 1).map((turn) => {
    const constants = found.flatMap(({ name, values }) => {
      const value = values[turn % values.length];
      return value === undefined ? [] : [[name, { kind: "constant", value }] as const];
    });
    return new Map(constants);
  });
}

function upTo(most: number): readonly number[] {
  return Array.from({ length: most + 1 }, (_, value) => value);
}
