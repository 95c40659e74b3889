import { succeed } from "../../../../core/base/outcome";
import { comparedRanges } from "../../../../core/workload/quantities/compared-numbers";
import type { KernelSpec, TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";

/**
 * Draws inputs of which no more is known from around the numbers that the kernel compares them with, where
 * usual values are beyond none of these: a heart rate that is never above 131 takes one way alone.
 */
export function withComparedValues(finder: WorkloadFinder): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      return found.ok ? succeed(asCompared(found.value, request)) : found;
    },
  };
}

function asCompared(
  found: FoundWorkload,
  { text, kernel }: { readonly text: string; readonly kernel: string },
): FoundWorkload {
  const { spec, unknowns } = found;
  const open = Object.entries(spec.inputs).flatMap(([name, tensor]) => {
    const holds = openKind(spec, name, tensor);
    return holds === undefined ? [] : [[name, holds] as const];
  });
  const ranges = comparedRanges(text, kernel, new Map(open));
  if (ranges.size === 0) return found;
  const path = (name: string): string => `inputs.${name}.distribution`;
  const drawn = [...ranges].map(
    ([name, range]) =>
      [name, { ...spec.inputs[name], distribution: { kind: "range", ...range } } as TensorSpec] as const,
  );
  const told = [...ranges].map(([name, { low, high }]) => ({
    path: path(name),
    sentence: `${name} is taken to lie from ${low} to ${high}, around the numbers that the kernel compares it with.`,
  }));
  const origins = Object.fromEntries([...ranges.keys()].map((name) => [path(name), "inferred" as const]));
  return {
    ...found,
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...Object.fromEntries(drawn) },
      origins: { ...spec.origins, ...origins },
    },
    unknowns: [...told, ...unknowns],
  };
}

/** What an input holds of which no more than its type is known; undefined for other ones. */
function openKind(
  { outputs }: KernelSpec,
  name: string,
  { dtype, distribution }: TensorSpec,
): "float" | "whole" | undefined {
  if (outputs[name] !== undefined) return undefined;
  if (dtype.includes("float")) return (distribution ?? "normal") === "normal" ? "float" : undefined;
  return distribution === "integers" && /(?:16|32|64)$/.test(dtype) ? "whole" : undefined;
}
