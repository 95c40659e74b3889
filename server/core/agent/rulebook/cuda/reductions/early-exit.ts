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
    if (!plain || !alone || guard.startIndex > statement.startIndex)
      return not("dependence", "a thread may leave before the warp comes together", guard ?? line);
    guards.push(guard);
  }
  return guards;
}

/** The exits as conditions around all that follows them. */
export function exitsAsConditions(exits: readonly SyntaxNode[]): readonly TextEdit[] {
  return exits.map((exit) => {
    const condition = exit.childForFieldName("condition")?.childForFieldName("value")?.text ?? "false";
    return replaceNode(exit, `if (!(${condition})) {`);
  });
}

/** The braces that close what the conditions hold. */
export function closedConditions(exits: readonly SyntaxNode[]): readonly string[] {
  return exits.map(() => "}");
}
