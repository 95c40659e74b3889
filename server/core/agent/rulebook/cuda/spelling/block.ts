import { constantValue } from "../../../../language/cuda/constants";
import { compact, fieldText } from "../../../../language/query";
import { replaceNode } from "../../edits";
import type { KernelView } from "../kernel";
import type { Spelling } from "./spelling";

/**
 * `blockIdx.x * BLOCK` as `blockIdx.x * blockDim.x`, and so `gridDim.x * BLOCK`, where every launch of the
 * file passes its block as that template parameter.
 */
export const blockNamed: Spelling = (view) => {
  const names = new Set(
    view.kernel.facts.templateParameters.flatMap(({ name }, place) => (isBlock(view, place) ? [name] : [])),
  );
  for (const product of view.body.descendantsOfType("binary_expression")) {
    if (fieldText(product, "operator") !== "*") continue;
    const sides = [product.childForFieldName("left"), product.childForFieldName("right")];
    const block = sides.find((side) => side !== null && names.has(side.text));
    const place = sides.find((side) => /^(blockIdx|gridDim)\.x$/.test(compact(side)));
    if (block && place) return [replaceNode(block, "blockDim.x")];
  }
  return undefined;
};

/** True where the template argument at that place is the x extent of the block in every launch. */
function isBlock({ launches, kernel }: KernelView, place: number): boolean {
  const otherwise = kernel.templateParameters[place]?.childForFieldName("default_value");
  return (
    launches.length > 0 &&
    launches.every(({ block, names, templateArguments }) => {
      const passed = templateArguments[place] ?? otherwise;
      const value = passed ? constantValue(passed.text, names) : undefined;
      return value !== undefined && value === constantValue(block[0]?.text ?? "", names);
    })
  );
}
