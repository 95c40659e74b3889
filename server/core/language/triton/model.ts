import type { SyntaxNode } from "../tree";
import { type TritonKernel, tritonKernels } from "./kernels";
import { type TritonLaunch, tritonLaunches } from "./launches";
import { type TritonNames, tritonNames } from "./names";

/** What a Python source says about its Triton kernels: the one model that lenses, inference and rules ask. */
export interface TritonModel {
  readonly root: SyntaxNode;
  readonly names: TritonNames;
  readonly kernels: readonly TritonKernel[];
  readonly launches: readonly TritonLaunch[];
}

/** Reads a parsed text. Pure; nodes live as long as the tree does. */
export function readTriton(root: SyntaxNode): TritonModel {
  return {
    root,
    names: tritonNames(root),
    kernels: tritonKernels(root),
    launches: tritonLaunches(root),
  };
}
