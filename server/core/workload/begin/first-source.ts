import { type Outcome, fail } from "../../base/outcome";
import { fileOfCall, type KernelSpec } from "../spec";
import { firstCudaSource } from "./first-cuda-source";
import { firstTritonSource } from "./first-triton-source";

/**
 * The source that a kernel begins with which nobody has written: functions with the names and parameters
 * that its spec tells, and nothing in them. It builds and is wrong, so that the first aim of a session is a
 * correct version. The problem is a clause on what the spec would have to say.
 */
export function firstSource(spec: KernelSpec): Outcome<string, string> {
  if (spec.reference.kind === "baseline")
    return fail('"reference" is "baseline": without a kernel nothing says what is right');
  const { run } = spec;
  if (run.kind === "entry" && fileOfCall(run.entry.call) !== spec.file)
    return fail(`the entry stands in ${fileOfCall(run.entry.call)}: it has to stand in ${spec.file} as well`);
  return spec.dialect === "cuda" ? firstCudaSource(spec) : firstTritonSource(spec);
}
