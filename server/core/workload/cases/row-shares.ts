import { evaluateSizeExpression } from "../size-expression";
import type { ShapeCase, SizeExpression } from "../spec";

/** Elements of a row, on the average. */
const perRow = 4;

/**
 * Shapes in which rows that lie one behind the other have a few elements each. `led`: sizes that count all of
 * those, with how many rows there are.
 */
export function withRowShares(
  shapes: readonly ShapeCase[],
  led: ReadonlyMap<string, SizeExpression> = new Map(),
  isUsable: (sizes: ShapeCase["sizes"]) => boolean,
): readonly ShapeCase[] {
  return shapes.map((shape) => {
    let { sizes } = shape;
    for (const [name, each] of led) {
      const rows = evaluateSizeExpression(each, sizes);
      const least = rows.ok ? perRow * rows.value : 0;
      const more = { ...sizes, [name]: Math.max(sizes[name] ?? 0, least) };
      if (isUsable(more)) sizes = more;
    }
    return { ...shape, sizes };
  });
}
