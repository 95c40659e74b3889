import type { TextRange } from "../../base/text";
import { rangeOf } from "../query";
import type { SourceFile } from "../source-file";
import type { SyntaxNode } from "../tree";

/**
 * Places of a text that mean a kernel or function of the given name: its definition, declarations, launches,
 * calls, imports. A function that has a parameter or a local of that name means its own.
 */
export function occurrencesOf({ tree, dialect }: SourceFile, name: string): readonly TextRange[] {
  const local = dialect === "cuda" ? declaresInCuda : declaresInPython;
  return tree.root
    .descendantsOfType(["identifier", "dotted_name"])
    .filter((node) => node.text === name && node.namedChildren.length === 0)
    .filter((node) => !isKeyword(node) && !functionsAround(node).some((around) => local(around, name)))
    .map(rangeOf);
}

/** The `name` of `name=value` in a call. */
function isKeyword(node: SyntaxNode): boolean {
  const { parent } = node;
  return parent?.type === "keyword_argument" && parent.childForFieldName("name")?.id === node.id;
}

function functionsAround(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let current = node.parent; current !== null; current = current.parent)
    if (current.type === "function_definition") found.push(current);
  return found;
}

function declaresInCuda(definition: SyntaxNode, name: string): boolean {
  const declared = definition.descendantsOfType(["parameter_declaration", "init_declarator", "declaration"]);
  return declared.some((node) => {
    const declarator = node.childForFieldName("declarator");
    return declarator !== null && declarator.type !== "function_declarator" && namesIt(declarator, name);
  });
}

/** Whether a declarator declares the name: through pointers, references and arrays. */
function namesIt(declarator: SyntaxNode, name: string): boolean {
  if (declarator.type === "identifier") return declarator.text === name;
  const inner = declarator.childForFieldName("declarator") ?? declarator.namedChildren[0];
  return inner !== undefined && /declarator$|^identifier$/.test(inner.type) && namesIt(inner, name);
}

function declaresInPython(definition: SyntaxNode, name: string): boolean {
  const parameters = definition.childForFieldName("parameters")?.descendantsOfType("identifier") ?? [];
  const assigned = definition
    .descendantsOfType("assignment")
    .flatMap((node) => node.childForFieldName("left")?.descendantsOfType("identifier") ?? []);
  return [...parameters, ...assigned].some(
    ({ text, parent }) => text === name && parent?.type !== "attribute",
  );
}
