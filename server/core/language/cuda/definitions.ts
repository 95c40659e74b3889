import { at } from "../../base/known";
import type { PartMemory } from "../part-memory";
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
  return outerNodesOf(root);
}

const outerNodesOf = remembered((root: SyntaxNode) => {
  const found: PlacedNode[] = [];
  collect(root, outside, found);
  return found;
});

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

/** Whether `outerNodes` has the members of a node one by one, beside the node. */
export function hasPlacedMembers(node: SyntaxNode): boolean {
  return scopes.has(node.type) && through.has(node.childForFieldName("body")?.type ?? "");
}

function nameOf(node: SyntaxNode): readonly string[] {
  const name = node.childForFieldName("name");
  return name === null ? [] : [name.text];
}

const containers = new Set([...through, "namespace_definition", "linkage_specification"]);

/**
 * The declarations, definitions and directives of a file one by one: what namespaces and conditions of the
 * preprocessor hold, and what is read of a text that does not parse; but no member of a class by itself.
 */
export function fileParts(root: SyntaxNode): readonly SyntaxNode[] {
  return filePartsOf(root);
}

const filePartsOf = remembered((root: SyntaxNode): readonly SyntaxNode[] =>
  root.children.flatMap((node) => {
    const { type } = node;
    return containers.has(type) ? fileParts(node) : [node];
  }),
);

/** What facts of a part depend on, wherever in the file it stands; undefined where that is not sure. */
export function partKey(part: SyntaxNode): string | undefined {
  return partKeyOf(part).key;
}

const partKeyOf = remembered((part: SyntaxNode) => ({
  key: part.hasError ? undefined : `${part.type} ${part.startPosition.column} ${part.text}`,
}));

/** What was found in a part of a file, on which line it stood then. */
interface FoundPart<Found> {
  readonly line: number;
  readonly found: Found;
}

/** What was found in the parts of a file, for its next version. */
export type FileMemory<Found> = PartMemory<FoundPart<Found>>;

/**
 * What is found in each part of a file, and by how many lines the part has moved down since. With a memory it
 * may depend on the part's own text and on the context alone.
 */
export function ofParts<Found>(
  parts: readonly SyntaxNode[],
  { memory, context }: { readonly memory: FileMemory<Found> | undefined; readonly context: string },
  find: (part: SyntaxNode) => Found,
): readonly { readonly found: Found; readonly lines: number }[] {
  const look = (part: SyntaxNode): FoundPart<Found> => ({
    line: part.startPosition.row,
    found: find(part),
  });
  const looked = memory?.of(parts, context, { keyOf: partKey, find: look }) ?? parts.map(look);
  return parts.map((part, index) => {
    const { line, found } = at(looked, index);
    return { found, lines: part.startPosition.row - line };
  });
}

/** What is found of a node, found once: several ask the same of one tree. */
function remembered<Found extends object>(find: (node: SyntaxNode) => Found): (node: SyntaxNode) => Found {
  const known = new WeakMap<SyntaxNode, Found>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const found = find(node);
    known.set(node, found);
    return found;
  };
}
