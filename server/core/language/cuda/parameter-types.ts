import type { DataType } from "../../workload/spec";
import type { KernelParameter } from "../../workload/capture/parameters";
import type { KernelFacts } from "../facts";
import { dataTypeOf } from "../spec-draft";

/** Element type of CUDA's vector types by their first letters. */
const vectorElements: Readonly<Record<string, DataType>> = {
  char: "int8",
  uchar: "uint8",
  short: "int16",
  ushort: "uint16",
  int: "int32",
  uint: "uint32",
  long: "int64",
  ulong: "uint64",
  longlong: "int64",
  ulonglong: "uint64",
  float: "float32",
  double: "float64",
};

const packedElements: Readonly<Record<string, DataType>> = {
  half2: "float16",
  __half2: "float16",
  __nv_bfloat162: "bfloat16",
  nv_bfloat162: "bfloat16",
};

/** The dtype of a type, or of the elements of a vector type (`float4`, `half2`); undefined for structures. */
export function elementTypeOf(type: string): DataType | undefined {
  const scalar = dataTypeOf(type);
  if (scalar !== undefined) return scalar;
  const word = type.replace(/\b(?:const|volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " ").trim();
  const [, base = ""] = /^([a-z]+)[1-4]$/.exec(word) ?? [];
  return packedElements[word] ?? vectorElements[base];
}

/**
 * The parameters of a kernel. `types`: other names of types, by name; `instance`: the arguments of its
 * template, in their order.
 */
export function kernelParameters(
  { parameters, templateParameters }: KernelFacts,
  types: ReadonlyMap<string, string>,
  instance: readonly string[],
): readonly KernelParameter[] {
  const given = templateParameters.flatMap(({ name, kind }, index) => {
    const type = instance[index];
    return kind === "type" && type !== undefined ? [[name, type] as const] : [];
  });
  const all = new Map([...types, ...given]);
  const resolved = (type: string): string =>
    type.replace(/\b[A-Za-z_]\w*\b/g, (word) => all.get(word) ?? word);
  return parameters.map(({ name, type, pointer, readOnly }) => ({
    name,
    pointer,
    readOnly,
    dtype: pointer ? elementTypeOf(resolved(type)) : dataTypeOf(resolved(type)),
  }));
}
