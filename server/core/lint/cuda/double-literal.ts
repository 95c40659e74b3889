import type { CudaKernel } from "../../language/cuda/kernels";
import { fieldText, rangeOf, unwrapped } from "../../language/query";
import type { SyntaxNode } from "../../language/tree";
import type { LintFinding } from "../lint";
import type { LintedKernel } from "./linted-kernel";

/** A floating constant without a suffix. */
const doubleLiteral = /^(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$|^\d+[eE][+-]?\d+$/;
const promotes = /^(?:[-+*/<>]|[<>=!]=|[-+*/]=)$/;

/** Double constants in the arithmetic of a kernel that knows floats and no doubles. */
export function doubleLiterals({ kernel }: LintedKernel): readonly LintFinding[] {
  if (!isSingle(kernel)) return [];
  return kernel.body
    .descendantsOfType("number_literal")
    .filter((literal) => doubleLiteral.test(literal.text) && isComputedWith(literal))
    .map(findingOf);
}

function isSingle({ definition, facts }: CudaKernel): boolean {
  return (
    facts.templateParameters.length === 0 &&
    /\bfloat/.test(definition.text) &&
    !/double/.test(definition.text)
  );
}

/** Whether the literal is an operand beside something that is no constant. */
function isComputedWith(literal: SyntaxNode): boolean {
  let operand = literal;
  while (operand.parent?.type === "unary_expression" || operand.parent?.type === "parenthesized_expression")
    operand = operand.parent;
  const { parent } = operand;
  if (parent?.type !== "binary_expression" && parent?.type !== "assignment_expression") return false;
  if (!promotes.test(fieldText(parent, "operator"))) return false;
  const sides = [parent.childForFieldName("left"), parent.childForFieldName("right")];
  return sides.some(
    (side) => side !== null && side.id !== operand.id && unwrapped(side).type !== "number_literal",
  );
}

function findingOf(literal: SyntaxNode): LintFinding {
  const range = rangeOf(literal);
  const title = `Write ${literal.text}f`;
  const edits = [{ range: { start: range.end, end: range.end }, text: "f" }];
  return { id: "double-literal", range, blanks: { literal: literal.text }, fix: { title, edits } };
}
