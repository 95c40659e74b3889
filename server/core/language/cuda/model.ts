import type { LaunchSite } from "../facts";
import type { SyntaxNode } from "../tree";
import { type Constants, fileConstants, typeAliases } from "./constants";
import { type CudaKernel, cudaKernels } from "./kernels";
import { type CudaLaunch, cudaLaunches } from "./launches";

/** What a CUDA source says about its kernels: the one model that lenses, spec inference and rules ask. */
export interface CudaModel {
  readonly root: SyntaxNode;
  /** Kernels whose definition parses, in source order. */
  readonly kernels: readonly CudaKernel[];
  readonly launches: readonly CudaLaunch[];
  readonly constants: Constants;
  /** Other names of types with the type at their end. */
  readonly types: ReadonlyMap<string, string>;
}

/** Reads a parsed text. Pure; nodes live as long as the tree does. */
export function readCuda(root: SyntaxNode): CudaModel {
  const constants = fileConstants(root);
  const kernels = cudaKernels(root).flatMap((kernel) => ("body" in kernel ? [kernel] : []));
  return { root, kernels, launches: cudaLaunches(root, constants), constants, types: typeAliases(root) };
}

/** Launch sites of a text, of any kernel. */
export function findLaunchSites(root: SyntaxNode): readonly LaunchSite[] {
  return cudaLaunches(root, fileConstants(root)).map(({ site }) => site);
}
