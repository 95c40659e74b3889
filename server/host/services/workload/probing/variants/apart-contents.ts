import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import type { PlannedArgument } from "../arguments/planned-argument";
import type { ContentVariant } from "./content-variants";

type PlannedBuffer = Extract<PlannedArgument, { readonly kind: "buffer" }>;

/**
 * Another number in each buffer of whole numbers that is only read: what looks for a value of one in another
 * then goes through all of it. Undefined where no two have the same type.
 */
export function apartContents(planned: readonly PlannedArgument[]): ContentVariant | undefined {
  const whole = planned.filter(
    (each): each is PlannedBuffer => each.kind === "buffer" && each.isConst && /^u?int/.test(each.type.dtype),
  );
  const types = whole.map(({ type }) => type.dtype);
  if (new Set(types).size === types.length) return undefined;
  return new Map(
    whole.map(({ name }, index): readonly [string, ProbeContent] => [
      name,
      { kind: "constant", value: index + 1 },
    ]),
  );
}
