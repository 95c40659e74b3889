import { known } from "../../../../base/known";
import { compact, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";

/**
 * The early exits at the top of the body, before the statement, which have to become conditions where threads
 * meet at the end; none is fine too.
 */
export function earlyExits(
  { body, line }: KernelView,
  statement: SyntaxNode,
): readonly SyntaxNode[] | RuleHold {
  const guards: SyntaxNode[] = [];
  for (const leaving of body.descendantsOfType("return_statement")) {
    const guard = partsOf(body).find((node) => node.type === "if_statement" && isInside(leaving, node));
    const plain = /^\{?return;\}?$/.test(compact(guard?.childForFieldName("consequence")));
    const alone = guard !== undefined && guard.childForFieldName("alternative") === null;
    const asks = guard !== undefined && conditionOf(guard) !== undefined;
    if (!plain || !alone || !asks || guard.startIndex > statement.startIndex)
      return not("dependence", "a thread may leave before the warp comes together", guard ?? line);
    guards.push(guard);
  }
  return guards;
}

/** The exits as conditions around all that follows them. */
export function exitsAsConditions(exits: readonly SyntaxNode[]): readonly TextEdit[] {
  return exits.map((exit) => replaceNode(exit, `if (!(${exitCondition(exit).text})) {`));
}

/** The condition of an early exit. */
export function exitCondition(exit: SyntaxNode): SyntaxNode {
  return known(conditionOf(exit), "the condition of an early exit");
}

/** Undefined for a condition that declares something: it cannot be turned round. */
function conditionOf(guard: SyntaxNode): SyntaxNode | undefined {
  const clause = guard.childForFieldName("condition");
  const value = clause?.childForFieldName("value");
  const declares = clause?.childForFieldName("initializer") || value?.type === "declaration";
  return declares ? undefined : (value ?? undefined);
}

/** The braces that close what the conditions hold. */
export function closedConditions(exits: readonly SyntaxNode[]): readonly string[] {
  return exits.map(() => "}");
}
