import type { ArgumentSpec, DataType, KernelSpec } from "../spec";
import { instanceDataType } from "./instance";

/** What an argument says of the parameter that takes it: what it passes, and of which type where known. */
export interface PassedType {
  readonly kind: "pointer" | "number" | "structure";
  readonly dtype?: DataType;
}

/** What the arguments of a spec's launch pass. */
export function passedTypes(
  { inputs, outputs }: Pick<KernelSpec, "inputs" | "outputs">,
  passed: readonly ArgumentSpec[],
): readonly PassedType[] {
  return passed.map((argument) => {
    if (typeof argument === "string" || "buffer" in argument) {
      const name = typeof argument === "string" ? argument : argument.buffer;
      const dtype = (outputs[name] ?? inputs[name])?.dtype;
      return { kind: "pointer", ...(dtype === undefined ? {} : { dtype }) };
    }
    if ("fields" in argument && argument.count !== undefined) return { kind: "pointer" };
    return "value" in argument ? { kind: "number", dtype: argument.dtype } : { kind: "structure" };
  });
}

/**
 * The positions of those among functions of one name that take the arguments best: as many parameters,
 * pointers where pointers are passed, and then with the fewest other types. All where none takes them.
 * `parameters`: the types of each as its symbol says them; undefined where it does not.
 */
export function overloadsTaking(
  parameters: readonly (readonly string[] | undefined)[],
  passed: readonly PassedType[],
): readonly number[] {
  const all = [...parameters.keys()];
  const misfits = parameters.map((types) => misfitsOf(types, passed));
  const least = Math.min(...misfits);
  return Number.isFinite(least) ? all.filter((index) => misfits[index] === least) : all;
}

/** How many types are others than the passed ones; infinite where the arguments cannot be passed. */
function misfitsOf(types: readonly string[] | undefined, passed: readonly PassedType[]): number {
  if (types === undefined) return 0;
  if (types.length !== passed.length) return Infinity;
  const each = types.map((type, index) => misfit(type, passed[index]));
  return each.reduce((sum, one) => sum + one, 0);
}

function misfit(type: string, passed: PassedType | undefined): number {
  if (passed === undefined) return Infinity;
  const isPointer = type.endsWith("*") || type.endsWith("&");
  const dtype = instanceDataType(type.replace(/\b(?:const|volatile)\b|[*&]/g, "").trim());
  if (passed.kind === "structure") return isPointer || dtype !== undefined ? Infinity : 0;
  if (isPointer !== (passed.kind === "pointer")) return Infinity;
  return dtype === undefined || passed.dtype === undefined || dtype === passed.dtype ? 0 : 1;
}
