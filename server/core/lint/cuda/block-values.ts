import type { CudaKernel } from "../../language/cuda/kernels";
import type { Constants } from "../../language/cuda/constants";
import type { SyntaxNode } from "../../language/tree";

const scopes = new Set(["compound_statement", "for_statement"]);
const reads = /\bthreadIdx\b/;

/** What an expression or a name stands for in the block that runs a kernel. */
export interface BlockValues {
  /** Whether the value may differ between threads of one block. */
  differs(node: SyntaxNode): boolean;
  /** The nearest condition around a node, within the kernel, that may differ between threads of one block. */
  dividedBy(node: SyntaxNode): SyntaxNode | undefined;
}

/**
 * Reads a kernel's declarations and assignments once. Names are told apart by their scopes; flow is ignored,
 * so that a variable that differs anywhere differs.
 */
export function blockValues({ body }: CudaKernel, constants: Constants): BlockValues {
  const macros = new Set(
    [...constants.values()].filter(({ text }) => reads.test(text)).map(({ name }) => name),
  );
  const declared = declarationsIn(body);
  const differing = new Set<number>();
  const differs = (node: SyntaxNode): boolean =>
    reads.test(node.text) ||
    node.descendantsOfType("identifier").some((name) => {
      if (macros.has(name.text)) return true;
      const declaration = declarationOf(name, declared);
      return declaration !== undefined && differing.has(declaration);
    });
  const assigned = assignmentsIn(body, declared);
  for (let before = -1; before !== differing.size;) {
    before = differing.size;
    for (const { declaration, value } of assigned)
      if (!differing.has(declaration) && differs(value)) differing.add(declaration);
  }
  return { differs, dividedBy: (node) => dividedBy(node, body, differs) };
}

/** Declarators by name, in source order. */
type Declarations = ReadonlyMap<string, readonly SyntaxNode[]>;

function declarationsIn(body: SyntaxNode): Declarations {
  const found = new Map<string, SyntaxNode[]>();
  for (const declaration of body.descendantsOfType("declaration"))
    for (const declarator of declaration.childrenForFieldName("declarator")) {
      const name = declarator.descendantsOfType("identifier")[0];
      if (name !== undefined) found.set(name.text, [...(found.get(name.text) ?? []), name]);
    }
  return found;
}

/** The declaration that a name means, by its id: the last one before it whose scope it stands in. */
function declarationOf(name: SyntaxNode, declared: Declarations): number | undefined {
  const candidates = declared.get(name.text) ?? [];
  return candidates.findLast((candidate) => {
    const scope = scopeAround(candidate);
    return candidate.startIndex <= name.startIndex && scope !== undefined && name.endIndex <= scope.endIndex;
  })?.id;
}

function scopeAround(node: SyntaxNode): SyntaxNode | undefined {
  for (let current = node.parent; current !== null; current = current.parent)
    if (scopes.has(current.type)) return current;
  return undefined;
}

function assignmentsIn(
  body: SyntaxNode,
  declared: Declarations,
): readonly { readonly declaration: number; readonly value: SyntaxNode }[] {
  return body.descendantsOfType(["init_declarator", "assignment_expression"]).flatMap((node) => {
    const target = node.childForFieldName("declarator") ?? node.childForFieldName("left");
    const value = node.childForFieldName("value") ?? node.childForFieldName("right");
    if (target === null || value === null || target.type === "subscript_expression") return [];
    const name = target.descendantsOfType("identifier")[0];
    const declaration = name === undefined ? undefined : declarationOf(name, declared);
    return declaration === undefined ? [] : [{ declaration, value }];
  });
}

const conditional = new Set([
  "if_statement",
  "for_statement",
  "while_statement",
  "do_statement",
  "switch_statement",
]);

function dividedBy(
  node: SyntaxNode,
  body: SyntaxNode,
  differs: (node: SyntaxNode) => boolean,
): SyntaxNode | undefined {
  for (let current = node.parent; current !== null && current.id !== body.id; current = current.parent) {
    const condition = conditional.has(current.type) ? current.childForFieldName("condition") : null;
    if (condition !== null && differs(condition)) return condition;
  }
  return undefined;
}
