import { variesWithThread } from "../../../../language/cuda/body/threads";
import { enclosing, fieldText, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { namedBy, namingRule } from "../named";
import { chainEdits, digitChain } from "./index-chain";

const whole =
  /^(?:const |unsigned |signed )*(?:int|long|long long|size_t|u?int(?:32|64)_t|unsigned|uint|auto)$/;

/**
 * Numbers of threads that are taken apart by division by sizes of the launch: where the digits build up on
 * each other, one division is made for each of them.
 */
export const countIndices = defineRule("cuda-count-indices", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const varies = variesWithThread(view.model, view.body, "x");
  const divisions = view.body.descendantsOfType("binary_expression").filter((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (!/^[/%]$/.test(fieldText(node, "operator")) || left === null || right === null) return false;
    return varies(left) && !varies(right) && view.scope.value(right) === undefined && isIndex(node);
  });
  const [first] = divisions;
  if (first === undefined) return not("no-pattern", "no index is divided by a size of the launch", view.line);
  const gain = gainOn(input, ["issue", "integer"], threshold(entry, "share"));
  const chain = digitChain(view);
  if (chain === undefined) return namedBy(entry, { at: first, value: divisions.length, gain });
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  const ideal = chain.digits.length - 1;
  return {
    kind: "proposal",
    tree: editedTree(input, chainEdits(view, chain)),
    hypothesis: fillSentence(entry.hypothesis, { count: ideal }),
    evidence: evidenceFor(entry, { ...facts, value: divisions.length, ideal }),
    gain,
  };
});

function isIndex(node: SyntaxNode): boolean {
  if (enclosing(node, "subscript_expression") !== undefined) return true;
  const declaration = enclosing(node, "declaration");
  return declaration !== undefined && whole.test(fieldText(declaration, "type"));
}

/** Lanes that part by the parity of their number. */
export const partWarps = namingRule("cuda-part-warps", (input, view, entry) => {
  const varies = variesWithThread(view.model, view.body, "x");
  const found = view.body.descendantsOfType("if_statement").find((node) => {
    const condition = node.childForFieldName("condition");
    const digit = condition !== null && /[%&](?!&)/.test(condition.text.replaceAll("&&", ""));
    return digit && varies(condition) && enclosing(node, "for_statement", "while_statement") === undefined;
  });
  if (found === undefined)
    return not("no-pattern", "no branch depends on a digit of the thread's number", view.line);
  const { divergentBranches: value } = countsOf(input, found);
  if (value === 0) return not("no-evidence", "the lanes do not part there", found);
  return { at: found, value, gain: gainOn(input, ["issue", "special", "fp32"], threshold(entry, "share")) };
});
