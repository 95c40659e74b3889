import { variesWithThread } from "../../../../../language/cuda/body/threads";
import { isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";

/** What may give threads of a block different values though no thread's number stands in it. */
const differing = /\batomic\w+|__shfl\w*|__ballot\w*|__activemask|\bclock\w*|laneid|lane_id/;
const turns = /^(?:for|while)_statement$/;

/** A guard's answer unless all threads of a block come to a branch of one of them. */
export function notForAll(
  view: KernelView,
  { choice }: { readonly choice: SyntaxNode },
): RuleHold | undefined {
  const held = "not all threads come to where one of them combines";
  const isSame = sameForAll(view);
  const around = (node: SyntaxNode): boolean => {
    for (let up = node.parent; up !== null && up.id !== view.body.id; up = up.parent) {
      const condition = up.childForFieldName("condition");
      const hasCondition = up.type === "if_statement" || turns.test(up.type);
      if (!hasCondition && !/^(?:compound_statement|else_clause)$/.test(up.type)) return false;
      if (hasCondition && (condition === null || !isSame(condition))) return false;
    }
    return true;
  };
  if (!around(choice)) return not("cooperation", held, choice);
  const leaving = view.body
    .descendantsOfType(["return_statement", "break_statement", "continue_statement", "goto_statement"])
    .filter(
      (node) => isInside(node, choice) || node.type === "return_statement" || loopsShared(node, choice),
    );
  const early = leaving.find((node) => isInside(node, choice) || !around(node));
  return early && not("cooperation", held, early);
}

/** True for what ends a turn of a loop around the choice. */
function loopsShared(node: SyntaxNode, choice: SyntaxNode): boolean {
  for (let up = node.parent; up !== null; up = up.parent) {
    if (up.type === "switch_statement") return false;
    if (turns.test(up.type) || up.type === "do_statement") return isInside(choice, up);
  }
  return false;
}

/** Tells of a condition whether it is the same for all threads of a block of one dimension. */
function sameForAll({ model, body }: KernelView): (condition: SyntaxNode) => boolean {
  const varies = variesWithThread(model, body, "x");
  const values = body
    .descendantsOfType(["init_declarator", "assignment_expression"])
    .map((node) => (node.childForFieldName("value") ?? node.childForFieldName("right"))?.text ?? "");
  const mayDiffer = values.some((text) => differing.test(text));
  return (condition) => !mayDiffer && !differing.test(condition.text) && !varies(condition);
}
