import { succeed } from "../../../../core/base/outcome";
import { saidAscending } from "../../../../core/workload/comments/stated-order";
import { type StatedValues, statedValues } from "../../../../core/workload/comments/stated-values";
import type { Distribution, TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";

/**
 * Draws inputs of which no more is known from where comments and assertions of the source say they lie, and
 * ascending where comments say so.
 */
export function withStatedValues(finder: WorkloadFinder): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      return found.ok ? succeed(asStated(found.value, request.text)) : found;
    },
  };
}

function asStated(found: FoundWorkload, text: string): FoundWorkload {
  const { spec } = found;
  const names = Object.keys(spec.inputs);
  const [stated, ascending] = [statedValues(text, names), saidAscending(text, names)];
  const drawn = Object.entries(spec.inputs).flatMap(([name, tensor]) => {
    const values = stated.get(name);
    const bounded = values && drawnFrom(values, tensor);
    const distribution = ascending.has(name) ? sortedFrom(bounded, tensor) : bounded;
    return distribution === undefined ? [] : [[name, { ...tensor, distribution }] as const];
  });
  if (drawn.length === 0) return found;
  const path = (name: string): string => `inputs.${name}.distribution`;
  const origins = Object.fromEntries(drawn.map(([name]) => [path(name), "inferred" as const]));
  return {
    ...found,
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...Object.fromEntries(drawn) },
      origins: { ...spec.origins, ...origins },
    },
  };
}

/** How many values of a whole type there are for each element. */
const valuesForEach = 4;

/** The same in ascending order; undefined where more is known of an input than its type. */
function sortedFrom(
  bounded: Distribution | undefined,
  { dtype, shape, distribution = "normal" }: TensorSpec,
): Distribution | undefined {
  const [length] = shape;
  if (shape.length !== 1 || length === undefined) return bounded;
  if (typeof bounded === "object" && bounded.kind === "range") return { ...bounded, sorted: true };
  if (distribution === "normal" && dtype.includes("float")) return "sorted";
  if (distribution !== "integers" || dtype === "bool") return bounded;
  return { kind: "range", low: 0, high: `${valuesForEach} * (${length})`, sorted: true };
}

/** Undefined where more is known of an input than its type, or where no such number is between the bounds. */
function drawnFrom(
  { low, high }: StatedValues,
  { dtype, distribution = "normal" }: TensorSpec,
): Distribution | undefined {
  const isOpen =
    typeof distribution === "string"
      ? ["normal", "integers"].includes(distribution)
      : distribution.kind === "range" &&
        distribution.sorted !== true &&
        typeof distribution.high === "number";
  if (!isOpen || dtype === "bool") return undefined;
  if (dtype.includes("float")) return { kind: "range", low, high };
  const [least, most] = [Math.ceil(low), Math.floor(high)];
  return least < most ? { kind: "range", low: least, high: most } : undefined;
}
