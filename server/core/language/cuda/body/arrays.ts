import { collapse, fieldText, isInside, partsOf, usesOf } from "../../query";
import type { SyntaxNode } from "../../tree";

export interface ArrayAccess {
  /** The whole chain `tile[a][b]`. */
  readonly node: SyntaxNode;
  /** One expression for each dimension, slowest first. */
  readonly indices: readonly SyntaxNode[];
}

/** An array that a kernel declares. */
export interface KernelArray {
  readonly name: string;
  /** Element type as written, blanks collapsed. */
  readonly type: string;
  /** `dynamic` is `extern __shared__`, whose size the launch gives. */
  readonly storage: "shared" | "dynamic" | "local";
  readonly declaration: SyntaxNode;
  /** Size expressions, slowest dimension first; none for dynamic shared memory. */
  readonly sizes: readonly SyntaxNode[];
  /** Uses element by element. */
  readonly accesses: readonly ArrayAccess[];
  /** The first use that is no access to one element: the address escapes there. */
  readonly escape: SyntaxNode | undefined;
}

/** Arrays of a kernel's body in source order, shared ones and those of a thread. */
export function arraysOf(body: SyntaxNode): readonly KernelArray[] {
  return body.descendantsOfType("declaration").flatMap((declaration) => {
    const words = declaration.children.map((child) => child.text);
    if (words.includes("static") || words.includes("__constant__")) return [];
    const storage = storageOf(words);
    return declaration.childrenForFieldName("declarator").flatMap((declarator) => {
      const inner =
        declarator.type === "init_declarator" ? declarator.childForFieldName("declarator") : declarator;
      const shape = inner?.type === "array_declarator" ? shapeOf(inner) : undefined;
      if (shape === undefined) return [];
      const type = collapse(fieldText(declaration, "type"));
      return [{ ...shape, type, storage, declaration, ...usesIn(body, declaration, shape) }];
    });
  });
}

function storageOf(words: readonly string[]): KernelArray["storage"] {
  if (!words.includes("__shared__")) return "local";
  return words.includes("extern") ? "dynamic" : "shared";
}

interface Shape {
  readonly name: string;
  readonly sizes: readonly SyntaxNode[];
}

function shapeOf(declarator: SyntaxNode): Shape | undefined {
  const sizes: SyntaxNode[] = [];
  let at: SyntaxNode | null = declarator;
  while (at?.type === "array_declarator") {
    const size = at.childForFieldName("size");
    if (size !== null) sizes.unshift(size);
    at = at.childForFieldName("declarator");
  }
  return at?.type === "identifier" ? { name: at.text, sizes } : undefined;
}

function usesIn(
  body: SyntaxNode,
  declaration: SyntaxNode,
  shape: Shape,
): Pick<KernelArray, "accesses" | "escape"> {
  const uses = usesOf(body, shape.name).filter((use) => !isInside(use, declaration));
  const chains = uses.map((use) => ({ use, access: elementOf(use, Math.max(1, shape.sizes.length)) }));
  const escaped = chains.find(
    ({ access }) => access === undefined || access.node.parent?.type === "pointer_expression",
  );
  return { accesses: chains.flatMap(({ access }) => access ?? []), escape: escaped?.use };
}

/** The access to one element that begins with a use of an array; undefined for any other use. */
export function elementOf(use: SyntaxNode, dimensions: number): ArrayAccess | undefined {
  const indices: SyntaxNode[] = [];
  let node = use;
  for (let depth = 0; depth < dimensions; depth += 1) {
    const parent: SyntaxNode | null = node.parent;
    const index = parent === null ? undefined : subscriptIndex(parent);
    if (parent === null || index === undefined || !isIndexed(parent, node)) return undefined;
    indices.push(index);
    node = parent;
  }
  const { parent } = node;
  return parent !== null && isIndexed(parent, node) ? undefined : { node, indices };
}

/** True when `outer` is `inner[…]`. */
function isIndexed(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.type === "subscript_expression" && outer.childForFieldName("argument")?.id === inner.id;
}

/** The index of `array[index]`; undefined for anything else, several indices included. */
export function subscriptIndex(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "subscript_expression") return undefined;
  const list = partsOf(node.childForFieldName("indices"));
  return list.length === 1 ? list[0] : undefined;
}
