import type { RuleNode } from "../rule";
import { compact, usesOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";

export interface SharedAccess {
  /** The whole chain `tile[a][b]`. */
  readonly node: RuleNode;
  /** One expression for each dimension, slowest first. */
  readonly indices: readonly RuleNode[];
}

/** A `__shared__` array of fixed size that is only ever used element by element. */
export interface SharedArray {
  readonly name: string;
  readonly type: string;
  readonly declaration: RuleNode;
  /** Size expressions, slowest dimension first. */
  readonly sizes: readonly RuleNode[];
  readonly accesses: readonly SharedAccess[];
}

/**
 * The arrays whose layout may be changed freely: none whose address escapes, none declared together with
 * others.
 */
export function sharedArrays(kernel: CudaKernel): readonly SharedArray[] {
  return kernel.body.descendantsOfType("declaration").flatMap((declaration) => {
    const qualifiers = declaration.children.map((child) => child.text);
    const declarators = declaration.childrenForFieldName("declarator");
    const [declarator] = declarators;
    if (
      !qualifiers.includes("__shared__") ||
      qualifiers.includes("extern") ||
      declarators.length !== 1 ||
      declarator?.type !== "array_declarator"
    )
      return [];
    const shape = shapeOf(declarator);
    if (shape === undefined) return [];
    const accesses = accessesOf(kernel.body, declaration, shape);
    return accesses === undefined
      ? []
      : [{ ...shape, type: compact(declaration.childForFieldName("type")), declaration, accesses }];
  });
}

function shapeOf(declarator: RuleNode): { name: string; sizes: readonly RuleNode[] } | undefined {
  const sizes: RuleNode[] = [];
  let at: RuleNode | null = declarator;
  while (at?.type === "array_declarator") {
    const size = at.childForFieldName("size");
    if (size === null) return undefined;
    sizes.unshift(size);
    at = at.childForFieldName("declarator");
  }
  return at?.type === "identifier" ? { name: at.text, sizes } : undefined;
}

function accessesOf(
  body: RuleNode,
  declaration: RuleNode,
  shape: { name: string; sizes: readonly RuleNode[] },
): readonly SharedAccess[] | undefined {
  const accesses: SharedAccess[] = [];
  for (const use of usesOf(body, shape.name)) {
    if (use.startIndex >= declaration.startIndex && use.endIndex <= declaration.endIndex) continue;
    const access = chainOf(use, shape.sizes.length);
    if (access === undefined || access.node.parent?.type === "pointer_expression") return undefined;
    accesses.push(access);
  }
  return accesses;
}

function chainOf(use: RuleNode, dimensions: number): SharedAccess | undefined {
  const indices: RuleNode[] = [];
  let node = use;
  for (let depth = 0; depth < dimensions; depth += 1) {
    const parent: RuleNode | null = node.parent;
    const index = parent === null ? undefined : subscriptIndex(parent);
    if (parent === null || index === undefined || parent.childForFieldName("argument")?.id !== node.id)
      return undefined;
    indices.push(index);
    node = parent;
  }
  return node.parent?.type === "subscript_expression" &&
    node.parent.childForFieldName("argument")?.id === node.id
    ? undefined
    : { node, indices };
}

/** The index of `array[index]`; undefined for anything else, several indices included. */
export function subscriptIndex(node: RuleNode): RuleNode | undefined {
  if (node.type !== "subscript_expression") return undefined;
  const list = node.childForFieldName("indices");
  return list?.namedChildren.length === 1 ? list.namedChildren[0] : undefined;
}
