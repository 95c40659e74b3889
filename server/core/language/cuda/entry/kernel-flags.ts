import type { SyntaxNode } from "../../tree";
import { fileConstants } from "../constants";
import { cudaKernels } from "../kernels";
import { flagValues } from "../launch/flag-values";

/** The greatest number that a kernel asks elements of flags for, by the names of its pointers. */
export function kernelFlags(all: SyntaxNode, kernel: string): ReadonlyMap<string, number> {
  const found = cudaKernels(all).find(({ facts }) => facts.name === kernel);
  if (found === undefined || !("body" in found)) return new Map();
  const pointers = found.facts.parameters.flatMap(({ name, pointer }) => (pointer ? name : []));
  return flagValues(found.body.text, pointers, fileConstants(all));
}
