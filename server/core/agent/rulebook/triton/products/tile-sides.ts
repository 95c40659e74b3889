import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { languageCalls, launchConstant, positional, type TritonView } from "../kernel";

/** Elements that `tl.dot` takes along each side at least (Triton, `tl.dot`: M, N and K of 16 or more). */
const sideLeast = 16;

/**
 * Why tiles of the kernel's ranges are no operands of `tl.dot`, at the place that would call it; undefined
 * where no range is seen to have too few elements. Of one that the launch computes, compiling tells.
 */
export function holdOfSides(view: TritonView, place: SyntaxNode): RuleHold | undefined {
  for (const range of languageCalls(view, ["arange"])) {
    const side = sideOf(view, positional(range)[1]);
    if (side !== undefined && side < sideLeast)
      return not("limit", `a tile has a side of ${side}, and tl.dot takes ${sideLeast} at least`, place);
  }
  return undefined;
}

function sideOf(view: TritonView, end: SyntaxNode | undefined): number | undefined {
  if (end === undefined) return undefined;
  return end.type === "integer" ? Number(end.text) : launchConstant(view, end.text)?.value;
}
