import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { EntrySpec } from "../../../core/workload/spec";
import { scalarOf } from "../evaluation/case-shapes";
import type { RunRequest } from "../evaluation/kernel-runner";
import type { RunMemory } from "./run-memory";

/** The arguments of a Python function as its process reads them: numbers of tensors, and values. */
export function entryArguments(
  entry: EntrySpec,
  memory: RunMemory,
  { shape }: Pick<RunRequest, "shape">,
): readonly JsonObject[] {
  return entry.arguments.map((argument): JsonObject => {
    if (typeof argument === "string") return { tensor: memory.numberOf(argument) };
    if (!("value" in argument))
      throw new OperationalError("spec-invalid", {
        forUser: `kernel spec of ${entry.call}: bytes and places in buffers cannot be passed to a Python function`,
      });
    const value = scalarOf(argument, shape.shape);
    return argument.dtype.includes("float") ? { float: value } : { value };
  });
}

/**
 * How many of the last outputs of an entry are what its host code computes of what a kernel wrote:
 * `kernel_arguments(call, "kernel", "partial", computed=(0,))`; of gradients which of them torch may compute.
 */
export function computedOutputs({ call }: Pick<EntrySpec, "call">): number {
  const listed = /\b(?:kernel_arguments|gradients)\(.*\bcomputed=\(([\d, ]*)\)\s*\)$/s.exec(call)?.[1] ?? "";
  return listed.match(/\d+/g)?.length ?? 0;
}
