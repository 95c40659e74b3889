import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import type { CountedLoop } from "../../../../../language/cuda/body/loops";
import { enclosing, isInside, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";

/**
 * Whether blocks put the parts that they find in a loop over the grid together by atomics alone, and the
 * grid's size counts nowhere else: as many blocks as one likes come to the same then.
 */
export function mergesParts(view: KernelView, counted: CountedLoop): boolean {
  const { loop } = counted;
  if (enclosing(loop, "for_statement", "while_statement", "do_statement") !== undefined) return false;
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const isBehind = ({ node }: { readonly node: SyntaxNode }): boolean => !isInside(node, loop);
  const merging = atomics.filter(isBehind);
  // Who uses what was there before may count the blocks.
  const isUnused = merging.every(({ node }) => node.parent?.type === "expression_statement");
  if (merging.length === 0 || !isUnused || accesses.some((each) => each.stores && isBehind(each)))
    return false;
  return ["blockIdx", "gridDim"].every((name) =>
    usesOf(view.body, name).every((use) => countsInHead(use, view, counted)),
  );
}

/** Whether a mention of the grid stands in the loop's head, or gives a name that is used there alone. */
function countsInHead(use: SyntaxNode, view: KernelView, { loop, body }: CountedLoop): boolean {
  const isInHead = (node: SyntaxNode): boolean => isInside(node, loop) && !isInside(node, body);
  if (isInHead(use)) return true;
  const declared = enclosing(use, "init_declarator");
  const name = declared?.childForFieldName("declarator")?.text;
  if (declared === undefined || name === undefined) return false;
  return usesOf(view.body, name).every((other) => isInside(other, declared) || isInHead(other));
}
