import { fileConstants } from "../../language/cuda/constants";
import { cudaKernels } from "../../language/cuda/kernels";
import type { SyntaxNode } from "../../language/tree";
import type { LintFinding } from "../lint";
import { divergentBarriers } from "./divergent-barrier";
import { doubleLiterals } from "./double-literal";
import { lateWidenings } from "./late-widening";
import { type LintedKernel, lintedKernel } from "./linted-kernel";
import { missingBarriers } from "./missing-barrier";
import { uncheckedLaunches } from "./unchecked-launch";

/** A further lint of kernels is one more line here, with an entry in lints.json. */
const ofKernels: readonly ((kernel: LintedKernel) => readonly LintFinding[])[] = [
  doubleLiterals,
  lateWidenings,
  divergentBarriers,
  missingBarriers,
];

/** Every finding in a CUDA source. */
export function cudaFindings(root: SyntaxNode): readonly LintFinding[] {
  const constants = fileConstants(root);
  const kernels = cudaKernels(root).flatMap((kernel) => ("body" in kernel ? [kernel] : []));
  const ofEach = kernels.flatMap((kernel) => {
    const linted = lintedKernel(kernel, constants);
    return ofKernels.flatMap((look) => look(linted));
  });
  return [...uncheckedLaunches(root), ...ofEach];
}
