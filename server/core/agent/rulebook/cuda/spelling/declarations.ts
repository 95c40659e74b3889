import { changes } from "../../../../language/cuda/body/scope";
import { enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { insertBefore, replaceNode } from "../../edits";
import { type Spelling, taken } from "./spelling";

/** `int i; i = …;` and `int i; for (i = 0; …)` with the type where the variable gets its value. */
export const declaredWhereSet: Spelling = ({ body }) => {
  for (const declaration of body.descendantsOfType("declaration")) {
    const declarators = declaration.childrenForFieldName("declarator");
    const type = declaration.childForFieldName("type");
    const block = declaration.parent;
    if (type === null || block?.type !== "compound_statement") continue;
    if (
      !/^(?:unsigned |signed )?[A-Za-z_]\w*(?: \w+)?$/.test(type.text) ||
      declaration.children[0]?.id !== type.id
    )
      continue;
    for (const bare of declarators.filter((each) => each.type === "identifier")) {
      const heads = placesOf(block, bare);
      if (heads === undefined) continue;
      const others = declarators.filter(({ id }) => id !== bare.id).map(({ text }) => text);
      const rest =
        others.length === 0
          ? taken(declaration)
          : replaceNode(declaration, `${type.text} ${others.join(", ")};`);
      return [rest, ...heads.map((head) => insertBefore(head, `${type.text} `))];
    }
  }
  return undefined;
};

/** The assignments that give the variable its value for all of its uses; undefined where one is left over. */
function placesOf(block: SyntaxNode, bare: SyntaxNode): readonly SyntaxNode[] | undefined {
  const uses = usesOf(block, bare.text).filter(({ id }) => id !== bare.id);
  const [first] = uses;
  const heads = uses.flatMap((use) => headOf(use) ?? []);
  const covered = (use: SyntaxNode): boolean =>
    heads.some((head) => head.parent !== null && isInside(use, head.parent));
  if (heads.length > 0 && uses.every(covered)) return outermost(heads);
  const statement = first?.parent?.parent;
  const sets = first?.parent && isPlainAssignment(first.parent, first);
  const here = statement?.type === "expression_statement" && statement.parent?.id === block.id;
  const again = changes(block).filter(({ target }) => target.text === bare.text);
  return sets === true && here && again.length >= 1 ? [statement] : undefined;
}

/** The initializer of a loop that sets the variable. */
function headOf(use: SyntaxNode): SyntaxNode | undefined {
  const head = use.parent;
  const loop = head?.parent;
  if (!head || loop?.type !== "for_statement" || loop.childForFieldName("initializer")?.id !== head.id)
    return undefined;
  return isPlainAssignment(head, use) ? head : undefined;
}

function isPlainAssignment(node: SyntaxNode, target: SyntaxNode): boolean {
  return (
    node.type === "assignment_expression" &&
    node.childForFieldName("operator")?.text === "=" &&
    node.childForFieldName("left")?.id === target.id &&
    partsOf(node).length === 2 &&
    usesOf(node, target.text).length === 1
  );
}

/** A loop inside of another one with the same variable has no head of its own. */
function outermost(heads: readonly SyntaxNode[]): readonly SyntaxNode[] | undefined {
  const nested = heads.some((head) => {
    const around = head.parent && enclosing(head.parent, "for_statement");
    return around && heads.some((other) => other.parent?.id === around.id);
  });
  return nested ? undefined : heads;
}
