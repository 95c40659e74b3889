import { enclosing, compact, fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { LimitedLoop } from "./limits";

/**
 * True for a variable or an array of which a turn reads nothing that an earlier turn has written: every turn
 * writes the same elements first. Then turns that are left out are not missed.
 */
export function isWrittenAnew(loop: LimitedLoop, name: string): boolean {
  const { counted, view } = loop;
  const uses = usesOf(counted.body, name);
  if (usesOf(view.body, name).every((use) => isInside(use, counted.body))) return true;
  const moves = followsTurn(loop);
  const [first] = uses;
  if (first === undefined) return true;
  const stores = uses.flatMap((use) => targetOf(use) ?? []);
  const isFirst = stores.some((target) => isInside(first, target) && isPlain(target));
  return (
    isFirst &&
    stores.every((target) => !indicesOf(target).some(moves) && !conditionsOf(loop, target).some(moves))
  );
}

/** What a use is the target of, as `name`, `name[i]` or `name.x`. */
function targetOf(use: SyntaxNode): SyntaxNode | undefined {
  let at = use;
  while (/^(?:subscript|field)_expression$/.test(at.parent?.type ?? "")) {
    const outer: SyntaxNode | null = at.parent;
    if (outer?.childForFieldName("argument")?.id !== at.id) return undefined;
    at = outer;
  }
  const act = at.parent;
  if (act?.type !== "assignment_expression" && act?.type !== "update_expression") return undefined;
  const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
  return target?.id === at.id ? at : undefined;
}

function isPlain(target: SyntaxNode): boolean {
  return target.parent?.type === "assignment_expression" && fieldText(target.parent, "operator") === "=";
}

function indicesOf(target: SyntaxNode): readonly SyntaxNode[] {
  return target.descendantsOfType("subscript_argument_list");
}

/** Conditions of the turn under which alone a node is reached. */
function conditionsOf({ counted }: LimitedLoop, node: SyntaxNode): readonly SyntaxNode[] {
  const conditions: SyntaxNode[] = [];
  for (
    let at = enclosing(node, "if_statement", "while_statement", "for_statement");
    at && isInside(at, counted.body);
    at = enclosing(at, "if_statement", "while_statement", "for_statement")
  ) {
    const condition = at.childForFieldName("condition");
    if (condition !== null) conditions.push(condition);
  }
  return conditions;
}

/** Tells of a node whether it may differ from turn to turn. */
function followsTurn({ counted }: LimitedLoop): (node: SyntaxNode) => boolean {
  const moving = new Set([counted.variable]);
  const follows = (node: SyntaxNode): boolean =>
    node.descendantsOfType("identifier").some(({ text }) => moving.has(text));
  const given = counted.body
    .descendantsOfType(["init_declarator", "assignment_expression", "update_expression"])
    .map((node) => ({
      name: compact(node.childForFieldName("declarator") ?? node.childForFieldName("left")),
      value: node.childForFieldName("value") ?? node.childForFieldName("right"),
    }));
  for (let before = 0; before !== moving.size;) {
    before = moving.size;
    for (const { name, value } of given) if (value !== null && follows(value)) moving.add(name);
  }
  return follows;
}
