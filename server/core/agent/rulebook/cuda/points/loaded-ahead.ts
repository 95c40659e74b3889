import { changes } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";

/** Statements in whose middle a condition of another kind may end the work. */
const UNREADABLE = ["switch_statement", "while_statement", "do_statement", "lambda_expression"];

/**
 * The conditions among a point's statements under which a load is reached, as text: whoever loads the element
 * ahead of them has to ask them first. A guard's answer where the load, or a condition, needs something that
 * only the statements know.
 */
export function conditionsOfLoad(
  load: SyntaxNode,
  statements: readonly SyntaxNode[],
): readonly string[] | RuleHold {
  const made = madeIn(statements);
  const late = (node: SyntaxNode): SyntaxNode | undefined =>
    node.descendantsOfType("identifier").find(({ text }) => made.has(text));
  const own = late(load);
  if (own !== undefined) return not("dependence", `${compact(load)} waits for ${own.text}`, load);
  const conditions: string[] = [];
  for (const { node, holds } of conditionsAround(load, statements)) {
    const needs = late(node);
    const acts = node.descendantsOfType([
      ...["subscript_expression", "pointer_expression", "call_expression"],
      ...["assignment_expression", "update_expression"],
    ])[0];
    if (UNREADABLE.includes(node.type) || needs !== undefined || acts !== undefined)
      return not("dependence", `${compact(load)} is loaded only under a condition`, load);
    conditions.push(holds ? `(${node.text})` : `!(${node.text})`);
  }
  return conditions.reverse();
}

/** Names that the statements declare or change. */
function madeIn(statements: readonly SyntaxNode[]): ReadonlySet<string> {
  const declared = statements
    .flatMap((node) => node.descendantsOfType("declaration"))
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  const changed = statements
    .flatMap(changes)
    .flatMap(({ target }) => (target.type === "identifier" ? [target.text] : []));
  return new Set([...declared, ...changed]);
}

/** What a statement asks before it goes on, and the answer with which it does. */
interface Condition {
  readonly node: SyntaxNode;
  readonly holds: boolean;
}

/** Conditions around a node, the nearest first. */
export function conditionsAround(load: SyntaxNode, statements: readonly SyntaxNode[]): readonly Condition[] {
  const found: Condition[] = [];
  let node = load;
  for (let outer = load.parent; outer !== null; outer = outer.parent) {
    if (!statements.some((statement) => isInside(outer ?? load, statement))) break;
    found.push(...conditionOf(outer, node));
    node = outer;
  }
  return found;
}

function conditionOf(outer: SyntaxNode, inner: SyntaxNode): readonly Condition[] {
  if (UNREADABLE.includes(outer.type)) return [{ node: outer, holds: true }];
  const is = (field: string): boolean => {
    const part = outer.childForFieldName(field);
    return part !== null && isInside(inner, part);
  };
  if (outer.type === "if_statement" || outer.type === "conditional_expression") {
    const condition = outer.childForFieldName("condition");
    const [value] = condition?.type === "condition_clause" ? partsOf(condition) : [condition];
    if (!value || is("condition")) return [];
    return [{ node: unwrapped(value), holds: is("consequence") }];
  }
  const operator = fieldText(outer, "operator");
  const left = outer.childForFieldName("left");
  if (left === null || !is("right") || !["&&", "||"].includes(operator)) return [];
  return [{ node: unwrapped(left), holds: operator === "&&" }];
}
