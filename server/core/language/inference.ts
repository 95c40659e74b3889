import { type Outcome, fail } from "../base/outcome";
import { inferSpec as inferCuda } from "./cuda/inference";
import { findKernels, findLaunchSites, type SourceFile } from "./source-file";
import type { InferredSpec } from "./spec-draft";
import { inferSpec as inferTriton } from "./triton/inference";

export type { InferredSpec } from "./spec-draft";

/**
 * Proposes a spec for a kernel from its source alone: signature, launch site, how its pointers are indexed
 * and, for Triton, the function that launches it. Written for the simple cases (elementwise, by rows,
 * transpose, matmul); what is not known is listed, never hidden. `file` is the kernel's path relative to the
 * folder where the spec will lie. The problem is a sentence for the user.
 */
export function inferSpec(
  source: SourceFile,
  file: string,
  kernelName: string,
): Outcome<InferredSpec, string> {
  const kernel = findKernels(source).find(
    (candidate) => candidate.name === kernelName || candidate.qualifiedName === kernelName,
  );
  if (kernel === undefined) return fail(`there is no kernel ${kernelName} in ${file}`);
  const sites = findLaunchSites(source).filter((site) => site.kernel === kernel.name);
  const input = { file, root: source.tree.root, kernel, sites };
  return source.dialect === "cuda" ? inferCuda(input) : inferTriton(input);
}
