import type { SyntaxNode } from "../../../language/tree";
import { variesWithThread } from "../../../language/cuda/body/threads";
import type { KernelView } from "../cuda/kernel";

/** Tells of an expression whether it differs between the threads of a block. */
export function namesOfThreads({ model, body }: KernelView): (node: SyntaxNode) => boolean {
  const axes = (["x", "y", "z"] as const).map((axis) => variesWithThread(model, body, axis));
  return (node) => axes.some((varies) => varies(node));
}
