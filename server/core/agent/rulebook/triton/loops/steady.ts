import { partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, onlyAssignment, type TritonView } from "../kernel";

/** An assignment of the loop's own level to a name of its own, of names that the loop leaves alone. */
export function isSteady(view: TritonView, loop: SyntaxNode, statement: SyntaxNode, depth = 0): boolean {
  const [assignment] = partsOf(statement);
  const name = assignment?.type === "assignment" ? assignment.childForFieldName("left") : undefined;
  const value = assignment?.childForFieldName("right");
  if (name?.type !== "identifier" || !value || depth > 8) return false;
  if (statement.parent?.id !== loop.childForFieldName("body")?.id) return false;
  if (onlyAssignment(view.body, name.text) === undefined) return false;
  const writes = value
    .descendantsOfType("call")
    .some((call) => isCallOf(view, call, "store") || /atomic_/.test(call.text));
  return !writes && namesOf(value).every((used) => isKept(view, loop, used, depth));
}

export function namesOf(node: SyntaxNode): readonly string[] {
  return [...new Set(node.descendantsOfType("identifier").map(({ text }) => text))];
}

/** True for a name that is the same in each turn: it is given elsewhere, or here from what is. */
export function isKept(view: TritonView, loop: SyntaxNode, name: string, depth: number): boolean {
  const given = givenIn(loop, name);
  const [act] = given;
  if (act === undefined) return true;
  const statement = act.parent;
  return (
    given.length === 1 &&
    act.type === "assignment" &&
    statement !== null &&
    isSteady(view, loop, statement, depth + 1)
  );
}

function givenIn(loop: SyntaxNode, name: string): readonly SyntaxNode[] {
  return [loop, ...loop.descendantsOfType(["assignment", "augmented_assignment", "for_statement"])].filter(
    (act) => {
      const left = act.childForFieldName("left");
      return left !== null && usesOf(left, name).length > 0;
    },
  );
}

/** The statements of the loop that a load is made of, itself last. */
export function neededStatements(
  view: TritonView,
  loop: SyntaxNode,
  statement: SyntaxNode,
): readonly SyntaxNode[] {
  const names = namesOf(partsOf(statement)[0]?.childForFieldName("right") ?? statement);
  const before = names.flatMap((name) => {
    const [act] = givenIn(loop, name);
    return act?.parent ? neededStatements(view, loop, act.parent) : [];
  });
  const all = [...before, statement];
  return all.filter(({ id }, place) => all.findIndex((other) => other.id === id) === place);
}
