import { partsOf, rangeOf } from "../../language/query";
import type { TritonModel } from "../../language/triton/model";
import type { SyntaxNode } from "../../language/tree";
import type { LintFinding } from "../lint";

/** `tl.arange(0, 100)`: Triton refuses sizes that are no powers of two. */
export function arangeSizes({ root, names }: TritonModel): readonly LintFinding[] {
  return root.descendantsOfType("call").flatMap((call) => {
    if (!names.isLanguage(call.childForFieldName("function"), "arange")) return [];
    const [from, to, ...others] = partsOf(call.childForFieldName("arguments"));
    const [start, end] = [wholeNumber(from), wholeNumber(to)];
    if (to === undefined || start === undefined || end === undefined || others.length > 0) return [];
    const size = end - start;
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(1, size)));
    if (size === rounded || size < 1) return [];
    const edits = [{ range: rangeOf(to), text: String(start + rounded) }];
    const fix = { title: `Take ${rounded} elements (mask what is too much)`, edits };
    return [{ id: "arange-size", range: rangeOf(call), blanks: { size, rounded }, fix }];
  });
}

function wholeNumber(node: SyntaxNode | undefined): number | undefined {
  return node?.type === "integer" && /^\d+$/.test(node.text) ? Number(node.text) : undefined;
}
