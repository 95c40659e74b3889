import type { KernelParameter } from "../../workload/capture/parameters";
import type { KernelFacts } from "../facts";
import { dataTypeOf } from "../spec-draft";
import { namedElementType } from "./launch/element-types";

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
    dtype: pointer ? namedElementType(resolved(type))?.dtype : dataTypeOf(resolved(type)),
  }));
}
