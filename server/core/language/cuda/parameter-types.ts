import type { KernelParameter } from "../../workload/capture/parameters";
import type { KernelFacts } from "../facts";
import { dataTypeOf } from "../spec-draft";
import type { ElementType } from "../../workload/probe/observation";
import { namedElementType, plainName } from "./launch/element-types";

/** What the types of a program's sources are. */
export interface ProgramTypes {
  /** Other names of types, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Structures whose fields all have one type, by name. */
  readonly structures: ReadonlyMap<string, ElementType>;
}

/** The parameters of a kernel. `instance`: the arguments of its template, in their order. */
export function kernelParameters(
  { facts, stored }: { readonly facts: KernelFacts; readonly stored: ReadonlySet<string> },
  { types, structures }: ProgramTypes,
  instance: readonly string[],
): readonly KernelParameter[] {
  const { parameters, templateParameters } = facts;
  const given = templateParameters.flatMap(({ name, kind }, index) => {
    const type = instance[index];
    return kind === "type" && type !== undefined ? [[name, type] as const] : [];
  });
  const all = new Map([...types, ...given]);
  const resolved = (type: string): string =>
    type.replace(/\b[A-Za-z_]\w*\b/g, (word) => all.get(word) ?? word);
  const elementOf = (type: string): ElementType | undefined =>
    namedElementType(type) ?? structures.get(plainName(type));
  return parameters.map(({ name, type, pointer, readOnly }) => ({
    name,
    pointer,
    readOnly,
    stores: stored.has(name),
    dtype: pointer ? elementOf(resolved(type))?.dtype : dataTypeOf(resolved(type)),
  }));
}
