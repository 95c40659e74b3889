import { succeed } from "../../../../core/base/outcome";
import type { Distribution, KernelSpec, SizeExpression } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type CleanMeans, isClean } from "./found-task";

/** A field of whole numbers that is the same in all structures of an array so far. */
interface EqualField {
  readonly input: string;
  readonly value: SizeExpression;
}

/**
 * Gives each structure of an array whole numbers of its own: places from all of their range, lengths of at
 * least three quarters of the whole, flags of 0 and 1. Those with which a run finds something stay the same
 * in all.
 */
export function withVariedFields(finder: WorkloadFinder, means: CleanMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      const fields = equalFields(found.value.spec);
      if (fields.length === 0) return found;
      const all = withDistributions(found.value, fields);
      if (await isClean(means, request, all)) return succeed(all);
      let present = found.value;
      for (const field of fields)
        for (const least of [0, 1]) {
          const varied = withDistributions(present, [field], least);
          if (!(await isClean(means, request, varied))) continue;
          present = varied;
          break;
        }
      return succeed(present);
    },
  };
}

function equalFields({ run, inputs }: KernelSpec): readonly EqualField[] {
  if (run.kind !== "launch") return [];
  const names = run.launch.arguments.flatMap((argument) =>
    typeof argument !== "string" && "fields" in argument
      ? argument.fields.flatMap((field) => ("each" in field ? field.each : []))
      : [],
  );
  return names.flatMap((input) => {
    const { dtype = "float32", distribution } = inputs[input] ?? {};
    if (dtype.includes("float") || typeof distribution !== "object" || distribution.kind !== "range")
      return [];
    return distribution.low === distribution.high ? [{ input, value: distribution.low }] : [];
  });
}

/** `least`: of places and small numbers. */
function withDistributions(found: FoundWorkload, fields: readonly EqualField[], least = 0): FoundWorkload {
  const { spec } = found;
  const inputs = { ...spec.inputs };
  const origins = { ...spec.origins };
  for (const { input, value } of fields) {
    const tensor = inputs[input];
    if (tensor === undefined) continue;
    inputs[input] = { ...tensor, distribution: ownNumbers(spec, value, least) };
    origins[`inputs.${input}.distribution`] = "guessed";
  }
  return { ...found, spec: { ...spec, inputs, origins } };
}

/** A size of which a buffer has one more is a place in it, and any other one a length. */
function ownNumbers({ inputs, outputs }: KernelSpec, value: SizeExpression, least: number): Distribution {
  if (typeof value === "number") return { kind: "range", low: least, high: Math.max(1, value) };
  const extents = [inputs, outputs].flatMap((tensors) =>
    Object.values(tensors).flatMap(({ shape }) => shape),
  );
  const isPlace = extents.some((extent) => new RegExp(`\\b${value} \\+ 1\\b`).test(String(extent)));
  return { kind: "range", low: isPlace ? least : `${value} - ${value} / 4`, high: value };
}
