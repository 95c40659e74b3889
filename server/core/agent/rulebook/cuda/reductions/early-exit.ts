import { compact, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";

/**
 * The one early exit at the top of the body, before the statement, which has to become a condition where
 * threads meet at the end; none is fine too.
 */
export function onlyExit(
  { body, line }: KernelView,
  statement: SyntaxNode,
): SyntaxNode | undefined | RuleHold {
  const [first, ...others] = body.descendantsOfType("return_statement");
  if (first === undefined) return undefined;
  const guard = partsOf(body).find((node) => node.type === "if_statement" && isInside(first, node));
  const plain = /^\{?return;\}?$/.test(compact(guard?.childForFieldName("consequence")));
  if (others.length > 0 || guard === undefined || !plain || guard.startIndex > statement.startIndex)
    return not("dependence", "a thread may leave before the warp comes together", others[0] ?? line);
  return guard;
}
