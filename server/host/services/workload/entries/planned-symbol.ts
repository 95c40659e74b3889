import { madeUpFloat } from "../../../../core/workload/probe/range-names";
import type { EntryConstant } from "../../../../core/language/cuda/entry/entry-constants";
import type { ElementType } from "../../../../core/workload/probe/observation";
import type { PlannedArgument } from "../probing/arguments/planned-argument";

/** What a variable of the module is filled with in a search. */
export interface PlannedSymbol {
  readonly name: string;
  /** As C++ names it. */
  readonly variable: string;
  readonly holds:
    | { readonly kind: "buffer"; readonly type: ElementType }
    | { readonly kind: "numbers"; readonly byteLength: number; readonly numbers: readonly PlannedNumber[] };
}

/** A number at a byte of a variable. */
type PlannedNumber = { readonly at: number } & Exclude<PlannedArgument, { readonly kind: "buffer" }>;

/** What a constant is filled with; undefined for a table of whole numbers, which may be places. */
export function plannedSymbol(constant: EntryConstant): PlannedSymbol | undefined {
  const { name, variable } = constant;
  if (constant.kind === "table") {
    const { element: type, isOpen } = constant;
    return isOpen ? undefined : { name, variable, holds: { kind: "buffer", type } };
  }
  const numbers = constant.parts.map(({ name: part, at: byte, dtype, as, isEnumeration }): PlannedNumber => {
    const common = { at: byte, dtype, name: as ?? part };
    if (isEnumeration === true) return { ...common, kind: "value", value: 0 };
    if (dtype === "bool") return { ...common, kind: "value", value: 1 };
    return dtype.includes("float")
      ? { ...common, kind: "value", value: madeUpFloat(common.name) }
      : { ...common, kind: "size" };
  });
  return { name, variable, holds: { kind: "numbers", byteLength: constant.byteLength, numbers } };
}

interface Passed {
  /** What an entry is passed. */
  readonly planned: readonly { readonly kind: string; readonly name: string }[];
  readonly symbols: readonly PlannedSymbol[];
}

/** The sizes among what an entry is passed and what its variables hold, each once. */
export function sizeNames({ planned, symbols }: Passed): readonly string[] {
  const numbers = symbols.flatMap(({ holds }) => (holds.kind === "numbers" ? holds.numbers : []));
  return [...new Set([...planned, ...numbers].flatMap((each) => (each.kind === "size" ? each.name : [])))];
}
