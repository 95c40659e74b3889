import type { SyntaxNode } from "../tree";

/** Where a definition stands. */
interface Surroundings {
  /** Names of the namespaces and classes around it, outermost first. */
  readonly scopes: readonly string[];
  readonly externC: boolean;
  /** The template head around it. */
  readonly template: SyntaxNode | undefined;
}

export interface PlacedNode extends Surroundings {
  readonly node: SyntaxNode;
}

const through = new Set([
  "translation_unit",
  "declaration_list",
  "field_declaration_list",
  "preproc_if",
  "preproc_ifdef",
  "preproc_else",
  "preproc_elif",
  "preproc_elifdef",
  "ERROR",
]);
const scopes = new Set(["namespace_definition", "struct_specifier", "class_specifier"]);
const outside: Surroundings = { scopes: [], externC: false, template: undefined };

/**
 * The nodes of a file that stand outside of function bodies, in source order, with their surroundings. Walks
 * down from the root: to ask each node for its parents, or to scan whole bodies for a word, costs ten times
 * as much on a large file.
 */
export function outerNodes(root: SyntaxNode): readonly PlacedNode[] {
  const found: PlacedNode[] = [];
  collect(root, outside, found);
  return found;
}

function collect(container: SyntaxNode, around: Surroundings, found: PlacedNode[]): void {
  for (const node of container.children) {
    const { type } = node;
    if (through.has(type)) collect(node, around, found);
    else if (type === "template_declaration") collect(node, { ...around, template: node }, found);
    else if (type === "linkage_specification") collectBody(node, { ...around, externC: true }, found);
    else {
      found.push({ node, ...around });
      if (scopes.has(type))
        collectBody(
          node,
          { ...around, template: undefined, scopes: [...around.scopes, ...nameOf(node)] },
          found,
        );
    }
  }
}

function collectBody(node: SyntaxNode, around: Surroundings, found: PlacedNode[]): void {
  const body = node.childForFieldName("body");
  if (body === null) return;
  if (through.has(body.type)) collect(body, around, found);
  else found.push({ node: body, ...around });
}

function nameOf(node: SyntaxNode): readonly string[] {
  const name = node.childForFieldName("name");
  return name === null ? [] : [name.text];
}
