import { enclosing, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { parameterName } from "../../../../../language/triton/names";
import { freshName, replaceNode, type TextEdit } from "../../../edits";

/**
 * The edits by which each value of a straight function has a name of its own: `x = x * 2` gives a new name,
 * which what follows reads. It means the same.
 */
export function namesOnce(source: string, host: SyntaxNode): readonly TextEdit[] {
  const body = host.childForFieldName("body");
  const names = new Set(
    body?.descendantsOfType("assignment").flatMap((act) => {
      const left = act.childForFieldName("left");
      return left?.type === "identifier" ? [left.text] : [];
    }),
  );
  return body === null ? [] : [...names].flatMap((name) => versionsOf(source, { host, body, name }));
}

interface Named {
  readonly host: SyntaxNode;
  readonly body: SyntaxNode;
  readonly name: string;
}

/** New names for all values of a name but its first one. */
function versionsOf(source: string, { host, body, name }: Named): readonly TextEdit[] {
  const uses = usesOf(body, name);
  const isGiven = partsOf(host.childForFieldName("parameters")).some((node) => parameterName(node) === name);
  const givings = uses.flatMap((use) => givingOf(use, body) ?? []);
  const first = isGiven ? 0 : 1;
  // A name that branches, loops or other functions give or read keeps its values together.
  const odd = uses.some((use) =>
    enclosing(use, "lambda", "for_statement", "while_statement", "if_statement"),
  );
  const written = uses.filter(isWritten).length;
  if (givings.length <= first || odd || written !== givings.length) return [];
  const edits: TextEdit[] = [];
  for (const [place, giving] of givings.entries()) {
    if (place < first) continue;
    const fresh = freshName(source, `${name}_${place + 2 - first}`);
    const end = givings[place + 1];
    const read = uses.filter(
      (use) =>
        use.startIndex > giving.statement.endIndex &&
        (end === undefined || (use.startIndex < end.statement.endIndex && use.id !== end.target.id)),
    );
    edits.push(...[giving.target, ...read].map((use) => replaceNode(use, fresh)));
  }
  return edits;
}

interface Giving {
  readonly target: SyntaxNode;
  readonly statement: SyntaxNode;
}

/** `name = …` of the function's own body. */
function givingOf(use: SyntaxNode, body: SyntaxNode): Giving | undefined {
  const { parent } = use;
  const statement = parent?.parent;
  const isTarget = parent?.type === "assignment" && parent.childForFieldName("left")?.id === use.id;
  return isTarget && statement?.parent?.id === body.id ? { target: use, statement } : undefined;
}

/** True for a use that any statement gives a value, or changes. */
function isWritten(use: SyntaxNode): boolean {
  const act = enclosing(use, "assignment", "augmented_assignment", "for_statement", "delete_statement");
  const left = act?.childForFieldName("left");
  return left !== null && left !== undefined && isInside(use, left) && use.parent?.type !== "attribute";
}
