import type { LaunchParameter } from "../../../../../core/language/cuda/launch/launch-facts";
import type { RecordContent } from "../../../../../core/workload/probe/observation";
import type { Setting } from "../../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type { SizeExpression } from "../../../../../core/workload/spec";
import { isLengthName, madeUpFloat } from "../../../../../core/workload/probe/range-names";
import type { PlannedArgument, PlannedField, PlannedRecord } from "./planned-argument";

/** What small whole numbers are where a larger one might be none of their values. */
const flag = 1;
/** How long something is that a structure has, where it has places as well. */
const turns = 8;

/**
 * An array of structures of several types. Its whole numbers of four and eight bytes are what the array
 * holds: they may be places or lengths.
 */
export function recordPlan(
  { name, isConst }: LaunchParameter,
  { byteLength, members }: NonNullable<LaunchParameter["record"]>,
): PlannedArgument {
  const fields = members.map((member): PlannedField => {
    const { dtype } = member.element;
    const place = { at: member.at, member: member.name, dtype };
    if (dtype.includes("float")) return { ...place, value: madeUpFloat(member.name) };
    // Beside a place a length of any number would lead out of what the place leads into.
    if (isLengthName(member.name) && fieldsHeld(members) > 1) return { ...place, value: turns };
    const isHeld = member.isEnumeration !== true && /^u?int(?:32|64)$/.test(dtype);
    return isHeld ? place : { ...place, value: member.value ?? flag };
  });
  const type = { dtype: "int32", width: byteLength / wordBytes } as const;
  return { kind: "buffer", name, isConst, type, record: { byteLength, fields } };
}

const wordBytes = 4;

function fieldsHeld(members: NonNullable<LaunchParameter["record"]>["members"]): number {
  return members.filter(({ element }) => /^u?int(?:32|64)$/.test(element.dtype)).length;
}

/** What such an array holds in a probe. */
export function recordContent(
  { byteLength, fields }: PlannedRecord,
  whole: RecordContent["whole"],
  sizes: Setting,
): RecordContent {
  return {
    ...{ kind: "record", byteLength, whole },
    fields: fields.map(({ at, dtype, value, of }) => {
      if (value === undefined) return { at, dtype };
      return { at, dtype, value: valueFor({ value, ...(of !== undefined && { of }) }, sizes) };
    }),
  };
}

/** A number that is no size, as it is for given sizes. */
export function valueFor(
  { value, of }: { readonly value: number; readonly of?: SizeExpression },
  sizes: Setting,
): number {
  const outcome = of === undefined ? undefined : evaluateSizeExpression(of, sizes);
  return outcome?.ok === true ? outcome.value : value;
}

/** What numbers depend on, with a number in place of a size. */
export function withNumberIn(
  planned: readonly PlannedArgument[],
  name: string,
  value: number,
): readonly PlannedArgument[] {
  const word = new RegExp(`\\b${name}\\b`, "g");
  const within = (of: SizeExpression): SizeExpression => String(of).replace(word, String(value));
  return planned.map((each) => {
    if (each.kind === "value") return each.of === undefined ? each : { ...each, of: within(each.of) };
    if (each.kind !== "buffer" || each.record === undefined) return each;
    const fields = each.record.fields.map((field) =>
      field.of === undefined ? field : { ...field, of: within(field.of) },
    );
    return { ...each, record: { ...each.record, fields } };
  });
}
