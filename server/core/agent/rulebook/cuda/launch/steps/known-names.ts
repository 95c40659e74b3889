import { isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";

/** Nodes that name something which other code may use, by where the name stands in them. */
const declaring: Readonly<Record<string, string>> = {
  struct_specifier: "name",
  class_specifier: "name",
  union_specifier: "name",
  enum_specifier: "name",
  enumerator: "name",
  alias_declaration: "name",
  namespace_definition: "name",
  namespace_alias_definition: "name",
  preproc_def: "name",
  preproc_function_def: "name",
  type_definition: "declarator",
  declaration: "declarator",
  function_definition: "declarator",
};
/** What a name is known in, from its declaration to the end. */
const scopes = ["translation_unit", "declaration_list", "compound_statement", "field_declaration_list"];

/**
 * The first name in parts of host code that the file declares, but not so that it is known in front of
 * `place`: behind it, within a function or a class, or in another namespace. `ours`: names that mean
 * something else there. What the file does not declare comes from a header.
 */
export function unknownAt(
  place: SyntaxNode,
  { model }: KernelView,
  parts: readonly SyntaxNode[],
  ours: ReadonlySet<string> = new Set(),
): SyntaxNode | undefined {
  const uses = parts.flatMap(namesUsed).filter(({ text }) => !ours.has(text));
  if (uses.length === 0) return undefined;
  const declared = new Map<string, SyntaxNode[]>();
  for (const node of model.root.descendantsOfType(Object.keys(declaring)))
    for (const name of namesOf(node)) declared.set(name, [...(declared.get(name) ?? []), node]);
  const isKnown = (node: SyntaxNode): boolean =>
    node.endIndex <= place.startIndex && isInside(place, scopeOf(node));
  return uses.find(({ text }) => declared.get(text)?.some(isKnown) === false);
}

/** Of `Layout::size` the first name alone: what it is found in says where the others are. */
function namesUsed(part: SyntaxNode): readonly SyntaxNode[] {
  const types = ["identifier", "type_identifier", "namespace_identifier"];
  const own = types.includes(part.type) ? [part] : [];
  return [...own, ...part.descendantsOfType(types)].filter((node) => !isBehindScope(node));
}

function isBehindScope(node: SyntaxNode): boolean {
  for (let inner = node, outer = node.parent; outer !== null; inner = outer, outer = outer.parent) {
    if (outer.type !== "qualified_identifier") return false;
    const scope = outer.childForFieldName("scope");
    if (scope !== null && scope.id !== inner.id) return true;
  }
  return false;
}

function namesOf(node: SyntaxNode): readonly string[] {
  const field = declaring[node.type] ?? "name";
  return node.childrenForFieldName(field).flatMap((each) => nameIn(each) ?? []);
}

/** The name that a declarator gives, below its stars, brackets and parameters. */
function nameIn(node: SyntaxNode): string | undefined {
  const inner = node.childForFieldName("declarator");
  if (inner !== null) return nameIn(inner);
  if (node.namedChildren.length === 0) return node.text;
  const [first] = node.namedChildren;
  return node.type.endsWith("declarator") && first ? nameIn(first) : undefined;
}

function scopeOf(node: SyntaxNode): SyntaxNode {
  let scope = node.parent ?? node;
  while (!scopes.includes(scope.type) && scope.parent !== null) scope = scope.parent;
  return scope;
}
