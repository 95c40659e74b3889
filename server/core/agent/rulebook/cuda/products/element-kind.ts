import { dataTypeOf } from "../../../../language/spec-draft";
import { capabilityOf } from "../../../../timing/gpu-model";
import type { DataType } from "../../../../workload/spec";
import { type KernelView, templateEstimates } from "../kernel";

/** Sums that the tensor cores make of each type of elements. */
const sums: Readonly<Partial<Record<DataType, DataType>>> = {
  float16: "float32",
  bfloat16: "float32",
  int8: "int32",
  uint8: "int32",
};

/** Whether an architecture multiplies fragments of all these types. */
export function hasTensorCores(architecture: string): boolean {
  return Number(capabilityOf(architecture)) >= 7.2;
}

/** The type of both factors where the tensor cores multiply it into such sums. */
export function elementKind(
  view: KernelView,
  types: readonly [string, string, string],
): DataType | undefined {
  const [rows, columns, sum] = types.map((type) => exactType(view, type));
  return rows !== undefined && rows === columns && sums[rows] === sum ? rows : undefined;
}

/** The scalar type behind a name; of a template only where its one launch says it. */
function exactType(view: KernelView, type: string): DataType | undefined {
  const plain = type.replace(/\b(const|volatile)\b/g, "").trim();
  const given = view.launches.length > 0 ? templateEstimates(view).types.get(plain) : undefined;
  const own = view.kernel.facts.templateParameters.some(({ name }) => name === plain);
  if (own && given === undefined) return undefined;
  const written = given ?? plain;
  return dataTypeOf(view.model.types.get(written) ?? written);
}
