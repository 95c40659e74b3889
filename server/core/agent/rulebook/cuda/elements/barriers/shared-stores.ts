import { changes } from "../../../../../language/cuda/body/scope";
import { declaredName } from "../../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";

/** What may store to shared memory: assignments, atomics, calls that are handed more than a value of it. */
export function sharedStores(view: KernelView): readonly SyntaxNode[] {
  const { body } = view;
  const shared = sharedNames(view);
  const touches = (node: SyntaxNode): boolean =>
    node.descendantsOfType("identifier").some(({ text }) => shared.has(text));
  const stores = changes(body).flatMap(({ act, target }) => (touches(target) ? [act] : []));
  const handed = body
    .descendantsOfType("argument_list")
    .filter((list) =>
      list
        .descendantsOfType("identifier")
        .some(
          (name) =>
            shared.has(name.text) &&
            (isMore(view, name, shared.get(name.text) ?? 0) || isHandedOn(view, name)),
        ),
    );
  const atomics = body
    .descendantsOfType("call_expression")
    .filter((call) => /^atomic/.test(compact(call.childForFieldName("function"))) && touches(call));
  return [...stores, ...handed, ...atomics];
}

/** True for a use that stands for more than a number: an array, one of its rows, a member of many. */
function isMore({ model }: KernelView, use: SyntaxNode, dimensions: number): boolean {
  let [node, subscripts] = [use, 0];
  let member: string | undefined;
  for (let { parent } = use; parent !== null; { parent } = node) {
    const isStep = parent.type === "subscript_expression" || parent.type === "field_expression";
    if (!isStep || parent.childForFieldName("argument")?.id !== node.id) break;
    if (parent.type === "subscript_expression") subscripts += 1;
    else [member, subscripts] = [parent.childForFieldName("field")?.text, 0];
    node = parent;
  }
  if (member === undefined) return subscripts < dimensions;
  const fields = model.root
    .descendantsOfType("field_declaration")
    .flatMap((field) => field.childrenForFieldName("declarator"))
    .filter((declarator) => declarator.descendantsOfType("field_identifier")[0]?.text === member);
  return fields.some((field) => field.descendantsOfType("array_declarator").length > subscripts);
}

/** True for an argument, or a part of one, that a function of the file takes as a reference it may change. */
function isHandedOn({ model }: KernelView, use: SyntaxNode): boolean {
  for (let list = enclosing(use, "argument_list"); list; list = enclosing(list, "argument_list")) {
    const place = partsOf(list).findIndex((argument) => isInside(use, argument));
    const callee = compact(list.parent?.childForFieldName("function")).split("<")[0];
    const taken = model.root
      .descendantsOfType("function_definition")
      .filter((node) => declaredName(node) === callee?.split(/::|\.|->/).at(-1))
      .map((node) => partsOf(node.descendantsOfType("parameter_list")[0])[place]?.text ?? "");
    if (taken.some((parameter) => /&/.test(parameter) && !/\bconst\b/.test(parameter))) return true;
  }
  return false;
}

/**
 * Shared variables, and pointers and references that are made of them, each with how many subscripts there
 * are to one of its elements.
 */
function sharedNames({ body }: KernelView): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const declaration of body.descendantsOfType("declaration")) {
      const shared = declaration.children.some(({ text }) => text === "__shared__");
      for (const declarator of declaration.childrenForFieldName("declarator")) {
        const [name] = declarator.descendantsOfType("identifier");
        if (name === undefined || names.has(name.text)) continue;
        const dimensions = declarator.descendantsOfType("array_declarator").length;
        if (shared) names.set(name.text, dimensions);
        else if (isMadeOf(declaration, declarator, names)) names.set(name.text, Math.max(1, dimensions));
      }
    }
  }
  return names;
}

/** True for a pointer, a reference or a variable of an unsaid type whose value names something shared. */
function isMadeOf(
  declaration: SyntaxNode,
  declarator: SyntaxNode,
  names: ReadonlyMap<string, number>,
): boolean {
  const points = /pointer|reference/.test(declarator.childForFieldName("declarator")?.type ?? "");
  const unsaid = /\bauto\b/.test(declaration.childForFieldName("type")?.text ?? "");
  const value = declarator.childForFieldName("value");
  if (value === null || !(points || unsaid)) return false;
  return [...names.keys()].some((each) => usesOf(value, each).length > 0);
}
