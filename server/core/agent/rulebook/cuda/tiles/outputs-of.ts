import { evaluateSizeExpression } from "../../../../workload/size-expression";
import type { RuleInput } from "../../rule";

/** Elements of the greatest output on the shape that was counted. */
export function outputsOf({ spec, sizes }: RuleInput): number {
  const counts = Object.values(spec.outputs).map(({ shape }) =>
    shape.reduce<number>((product, size) => {
      const value = evaluateSizeExpression(size, sizes);
      return product * (value.ok ? value.value : 1);
    }, 1),
  );
  return Math.max(1, ...counts);
}
