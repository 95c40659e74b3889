import { ConstantMemory } from "../../language/cuda/constants";
import type { FileMemory } from "../../language/cuda/definitions";
import { askKernels, type KernelMemory } from "../../language/cuda/kernels";
import { PartMemory } from "../../language/part-memory";
import type { SyntaxNode } from "../../language/tree";
import { findingMoved, type LintFinding } from "../lint";
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

/** What was found in the last version of a CUDA source, part by part. */
export interface CudaLintMemory {
  readonly kernelFindings: KernelMemory<readonly LintFinding[]>;
  readonly constants: ConstantMemory;
  readonly launches: FileMemory<readonly LintFinding[]>;
}

/** For a source of which nothing is known yet. */
export function cudaLintMemory(): CudaLintMemory {
  return { kernelFindings: new PartMemory(), constants: new ConstantMemory(), launches: new PartMemory() };
}

/** Every finding in a CUDA source. */
export function cudaFindings(root: SyntaxNode, memory: CudaLintMemory): readonly LintFinding[] {
  const { constants, changed } = memory.constants.read(root);
  // The key of a kernel holds its text.
  if (changed.length > 0) memory.kernelFindings.forget((key) => changed.some((name) => key.includes(name)));
  const ofEach = askKernels(root, memory.kernelFindings, "", (kernel) => {
    if (!("body" in kernel)) return [];
    const linted = lintedKernel(kernel, constants);
    return ofKernels.flatMap((look) => look(linted));
  });
  return [
    ...uncheckedLaunches(root, memory.launches),
    ...ofEach.flatMap(({ answer, lines }) => answer.map((finding) => findingMoved(finding, lines))),
  ];
}
