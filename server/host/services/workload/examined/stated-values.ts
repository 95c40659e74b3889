import { succeed } from "../../../../core/base/outcome";
import { type StatedValues, statedValues } from "../../../../core/workload/comments/stated-values";
import type { Distribution, TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";

/** Draws inputs of which no more is known from where comments and assertions of the source say they lie. */
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
  const stated = statedValues(text, Object.keys(spec.inputs));
  const drawn = Object.entries(spec.inputs).flatMap(([name, tensor]) => {
    const values = stated.get(name);
    const distribution = values && drawnFrom(values, tensor);
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
