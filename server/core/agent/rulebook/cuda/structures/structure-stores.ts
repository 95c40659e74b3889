import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { isLoaded, loadedNames } from "../causes/loaded-names";
import { changes } from "../../../../language/cuda/body/scope";
import { fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";

/** True unless an element is only loaded: as a value, or through a reference that nothing is stored to. */
export function mayStore(view: KernelView, { statements }: PointSpace, use: SyntaxNode): boolean {
  const outer = outermost(use);
  const { parent } = outer;
  switch (parent?.type) {
    case "init_declarator": {
      const declarator = parent.childForFieldName("declarator");
      return declarator !== null && declarator.type !== "identifier" && isNamed(view, statements, declarator);
    }
    case "call_expression":
      return !isConstMethod(view, outer);
    case "update_expression":
    case "pointer_expression":
      return true;
    case "assignment_expression":
      return parent.childForFieldName("left")?.id === outer.id;
    default:
      return parent?.type === "argument_list" && outer.id === use.id;
  }
}

/** True where all that is done with an element is to store to it. */
export function isStoredTo(use: SyntaxNode): boolean {
  const outer = outermost(use);
  const act = outer.parent;
  return (
    act?.type === "assignment_expression" &&
    act.childForFieldName("left")?.id === outer.id &&
    act.childForFieldName("operator")?.text === "="
  );
}

/** True where an element gets another name by which something may be stored to it. */
function isNamed(view: KernelView, statements: readonly SyntaxNode[], declarator: SyntaxNode): boolean {
  const name = declarator.descendantsOfType("identifier")[0]?.text;
  return declarator.type !== "reference_declarator" || name === undefined || isGiven(view, statements, name);
}

/** True for `element.function` where every function of that name promises to change nothing. */
function isConstMethod({ model }: KernelView, callee: SyntaxNode): boolean {
  const name = fieldText(callee, "field");
  const declared = model.root
    .descendantsOfType("function_declarator")
    .filter((node) => fieldText(node, "declarator") === name);
  return (
    declared.length > 0 &&
    declared.every((node) =>
      node.namedChildren.some(({ type, text }) => type === "type_qualifier" && text === "const"),
    )
  );
}

/** The member, or the member's member, that is meant. */
export function outermost(node: SyntaxNode): SyntaxNode {
  let outer = node;
  while (
    outer.parent?.type === "field_expression" ||
    outer.parent?.type === "parenthesized_expression" ||
    (outer.parent?.type === "subscript_expression" &&
      outer.parent.childForFieldName("argument")?.id === outer.id)
  )
    outer = outer.parent;
  return outer;
}

/** True where a name is changed, or handed to a function as a whole, be it one of its own. */
function isGiven(view: KernelView, statements: readonly SyntaxNode[], name: string): boolean {
  const changed = statements
    .flatMap((node) => changes(node))
    .some(({ target }) => target.descendantsOfType("identifier")[0]?.text === name);
  const handed = statements
    .flatMap((node) => usesOf(node, name))
    .map((use) => ({ use, outer: outermost(use) }))
    .some(({ use, outer }) =>
      outer.parent?.type === "call_expression"
        ? !isConstMethod(view, outer)
        : outer.parent?.type === "argument_list" && outer.id === use.id,
    );
  return changed || handed;
}

/**
 * Tells of statements whether they look up elements at places that come out of memory: what these move is no
 * matter of how structures lie.
 */
export function lookUpsIn({ kernel, body }: KernelView): (node: SyntaxNode) => boolean {
  const loaded = loadedNames(body);
  const lookUps = cudaAccesses(kernel).accesses.filter(
    ({ indexNode }) => indexNode !== undefined && isLoaded(indexNode, loaded),
  );
  return (node) => lookUps.some((access) => isInside(access.node, node));
}
