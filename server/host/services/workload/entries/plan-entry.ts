import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import { itemBytes } from "../../../../core/workload/item-bytes";
import type { Elements } from "../../../../core/workload/probe/judge-probe";
import type { BufferObservation, ElementType } from "../../../../core/workload/probe/observation";
import { type PlannedArgument, untyped } from "../probing/arguments/planned-argument";
import type { EntryProbes, PlannedEntryArgument } from "./entry-session";
import type { PlannedSymbol } from "./planned-symbol";

/** What an entry is passed, and what it returns. */
export interface EntryPlan {
  readonly planned: readonly PlannedEntryArgument[];
  /** What the function returns. */
  readonly returned: readonly PlannedArgument[];
  readonly symbols: readonly PlannedSymbol[];
  /** What its host code computes of its sizes; see `sizeTerms`. */
  readonly terms: readonly string[];
}

/** What a parameter is passed in a search; `passed`: what a program was seen to pass for its name. */
export function plannedArgument(
  parameter: EntryFunction["parameters"][number],
  passed: number | undefined,
): PlannedEntryArgument {
  const { name } = parameter;
  switch (parameter.kind) {
    case "stream":
      return { kind: "stream", name };
    case "size":
      return { kind: "size", name, dtype: parameter.dtype };
    case "number":
      return { kind: "value", name, dtype: parameter.dtype, value: passed ?? parameter.value };
    default:
      return { kind: "buffer", name, type: parameter.element ?? untyped, isConst: parameter.isConst };
  }
}

/** `void *` gets the type by which it was accessed. */
export function withTypes(
  planned: readonly PlannedEntryArgument[],
  { entry, probes }: { readonly entry: EntryFunction; readonly probes: EntryProbes },
): readonly PlannedEntryArgument[] {
  return planned.map((each, index) => {
    const parameter = entry.parameters[index];
    if (each.kind !== "buffer" || parameter?.kind !== "buffer" || parameter.element !== undefined)
      return each;
    const seen = probes.observations.flatMap(({ buffers }) =>
      buffers.filter(({ name }) => name === each.name),
    );
    const dtype = dtypeOfAll(seen);
    return dtype === undefined ? each : { ...each, type: { dtype, width: 1 } };
  });
}

/**
 * The type of the elements by which each call has touched a buffer: bytes where a call ends within an
 * element, as host code does that copies structures of three.
 */
function dtypeOfAll(seen: readonly BufferObservation[]): ElementType["dtype"] | undefined {
  const [first] = seen;
  if (first === undefined) return undefined;
  const { elementBytes, isFloat } = first;
  const ends = seen.flatMap(({ read, written }) => [read?.to ?? 0, written?.to ?? 0]);
  return dtypeOf(ends.every((end) => end % elementBytes === 0) ? elementBytes : 1, isFloat);
}

/** Of two bytes most are numbers in half precision, which are loaded as bits. */
function dtypeOf(bytes: number, isFloat: boolean): ElementType["dtype"] | undefined {
  if (bytes === 2) return "float16";
  const whole = { 1: "uint8", 4: "int32", 8: "int64" } as const;
  const floating = { 4: "float32", 8: "float64" } as const;
  return isFloat && bytes > 1 ? floating[bytes as 4 | 8] : whole[bytes as 1 | 4 | 8];
}

/** The elements of all buffers. */
export function elementsOf(planned: readonly PlannedEntryArgument[]): Elements {
  return new Map(
    planned.flatMap((each) => {
      if (each.kind !== "buffer") return [];
      const { name, type } = each;
      const pitch = "pitch" in each && each.pitch !== undefined ? { pitch: each.pitch } : {};
      return [[name, { type, itemBytes: itemBytes[type.dtype], ...pitch }] as const];
    }),
  );
}
