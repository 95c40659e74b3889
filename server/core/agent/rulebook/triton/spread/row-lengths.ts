import { evaluateSizeExpression } from "../../../../workload/size-expression";
import type { RuleInput } from "../../rule";

/** The last extent of each matrix among the inputs, at the sizes of the counters. */
export function rowLengths({ spec, sizes }: RuleInput): readonly number[] {
  return Object.values(spec.inputs).flatMap(({ shape }) => {
    const last = shape.length > 1 ? shape.at(-1) : undefined;
    if (last === undefined || typeof last === "number") return last ?? [];
    const length = evaluateSizeExpression(last, sizes);
    return length.ok ? [length.value] : [];
  });
}
