import type { TextEdit } from "../edits";
import { editedTree, replaceNode } from "../edits";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence } from "../rule-table";
import { compact, operands, usesOf } from "../syntax";
import { guardedElement, threadsStandAlone, vectorPath, vectorWidth } from "./element-statement";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel } from "./kernel-source";
import { narrowAccess } from "./narrow-access";
import type { ItemLoop } from "./thread-items";
import { itemLoops, localValues } from "./thread-items";

/**
 * Lets a thread load and store four neighbouring elements at once where items are dealt out in turn. The last
 * elements, and arrays that do not begin at a multiple of 16 bytes, take the scalar path.
 */
export const vectorizeItems = defineRule("cuda-vectorize-items", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined || !threadsStandAlone(kernel)) return [];
  return itemLoops(kernel).flatMap((loop) => {
    const [index] = localValues(loop.body);
    const [, guard, ...rest] = loop.body.namedChildren.filter((node) => node.type !== "comment");
    const first = index === undefined ? undefined : stridedStart(kernel, loop, index.value);
    const element =
      index === undefined || rest.length > 0 ? undefined : guardedElement(kernel, guard, index.name);
    if (first === undefined || element === undefined || loop.count % vectorWidth !== 0) return [];
    const narrow = narrowAccess(input, entry, element);
    if (narrow === undefined) return [];
    const tree = editedTree(input, [
      ...first,
      replaceNode(loop.update, `${loop.item} += ${vectorWidth}`),
      vectorPath(kernel, element),
    ]);
    return [{ tree, hypothesis: fillSentence(entry.hypothesis, { vector: element.vector }), ...narrow }];
  });
});

/**
 * For `first + item * blockDim.x` with `first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x`: the edit that
 * makes threads start four elements apart.
 */
function stridedStart(kernel: CudaKernel, loop: ItemLoop, index: RuleNode): readonly TextEdit[] | undefined {
  const terms = operands(index, "+");
  const step = terms.find(
    (term) => operands(term, "*").map(compact).sort().join() === ["blockDim.x", loop.item].sort().join(),
  );
  const name = terms.find((term) => term !== step);
  const start = localValues(kernel.body).find(
    (local) => local.name === name?.text && local.declaration.endIndex <= loop.loop.startIndex,
  );
  if (
    terms.length !== 2 ||
    step === undefined ||
    start === undefined ||
    usesOf(kernel.body, start.name).length !== 2
  )
    return undefined;
  const parts = operands(start.value, "+");
  const thread = parts.find((part) => compact(part) === "threadIdx.x");
  const block = parts.find(
    (part) =>
      operands(part, "*").map(compact).sort().join() ===
      ["blockDim.x", "blockIdx.x", compact(loop.items)].sort().join(),
  );
  return parts.length === 2 && thread !== undefined && block !== undefined
    ? [replaceNode(thread, `threadIdx.x * ${vectorWidth}`)]
    : undefined;
}
