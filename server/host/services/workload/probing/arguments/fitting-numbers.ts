import {
  type AskedQuantities,
  quantitiesOf,
  type Quantity,
  quantityExpression,
} from "../../../../../core/workload/quantities/quantities";
import { madeUpFloat } from "../../../../../core/workload/probe/range-names";
import type { PlannedArgument, PlannedField } from "./planned-argument";

/**
 * Numbers that are made up as the quantities that their names say they are, so that those that are compared
 * with each other are of one kind.
 */
export function withFittingNumbers(
  planned: readonly PlannedArgument[],
  source: Pick<AskedQuantities, "kernel" | "text">,
): readonly PlannedArgument[] {
  const names = planned.flatMap((each) => {
    if (each.kind === "value") return each.isMadeUp === true ? each.name : [];
    if (each.kind !== "buffer") return [];
    return (each.record?.fields ?? []).flatMap((field) => (isMadeUp(field) ? field.member : []));
  });
  const sizes = planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  const quantities = quantitiesOf({ ...source, names, sizes });
  if (quantities.size === 0) return planned;
  return planned.map((each) => {
    if (each.kind === "value" && each.isMadeUp === true) {
      const quantity = quantities.get(each.name);
      return quantity === undefined ? each : { ...fitting(each, quantity), isMadeUp: "called" };
    }
    if (each.kind !== "buffer" || each.record === undefined) return each;
    const fields = each.record.fields.map((field) =>
      isMadeUp(field) ? fitting(field, quantities.get(field.member)) : field,
    );
    return { ...each, record: { ...each.record, fields } };
  });
}

/** The same with numbers that do not depend on their names; undefined where none does. */
export function withoutFittingNumbers(
  planned: readonly PlannedArgument[],
): readonly PlannedArgument[] | undefined {
  if (!planned.some((each) => each.kind === "value" && each.isMadeUp === "called")) return undefined;
  return planned.map((each) => {
    if (each.kind !== "value" || each.isMadeUp !== "called") return each;
    const { of: _, ...number } = each;
    return { ...number, value: madeUpFloat(each.name), isMadeUp: true };
  });
}

function isMadeUp({ dtype, value }: PlannedField): boolean {
  return dtype.includes("float") && value !== undefined;
}

function fitting<Number extends PlannedField | Extract<PlannedArgument, { readonly kind: "value" }>>(
  number: Number,
  quantity: Quantity | undefined,
): Number {
  if (quantity === undefined) return number;
  if (typeof quantity === "number") return { ...number, value: quantity };
  return { ...number, of: quantityExpression(quantity) };
}
