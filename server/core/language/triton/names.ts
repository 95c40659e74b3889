import { fieldText } from "../query";
import type { SyntaxNode } from "../tree";

/** How a file names the Triton functions: after imports and aliases. */
export interface TritonNames {
  /**
   * Whether an expression (a decorator without its call, a callee) means a member of the package `triton`.
   */
  is(expression: SyntaxNode | null, member: string): boolean;
  /** Whether an expression means a member of `triton.language`. */
  isLanguage(expression: SyntaxNode | null, member: string): boolean;
}

/**
 * Reads the import statements of a file. Without any, the usual names (`triton`, `tl`) are taken for what
 * they are called.
 */
export function tritonNames(root: SyntaxNode): TritonNames {
  const modules = new Set(["triton"]);
  const languages = new Set(["tl", "triton.language"]);
  const members = new Map<string, string>();
  for (const statement of root.descendantsOfType(["import_statement", "import_from_statement"])) {
    if (statement.type === "import_statement") readImport(statement, { modules, languages });
    else readFromImport(statement, members);
  }
  for (const [alias, original] of members) if (original === "language") languages.add(alias);
  return {
    isLanguage: (expression, member) =>
      expression?.type === "attribute" &&
      languages.has(fieldText(expression, "object")) &&
      expression.childForFieldName("attribute")?.text === member,
    is(expression, member) {
      if (expression === null) return false;
      if (expression.type === "identifier") return members.get(expression.text) === member;
      if (expression.type !== "attribute") return false;
      const object = expression.childForFieldName("object");
      return (
        object !== null &&
        modules.has(object.text) &&
        expression.childForFieldName("attribute")?.text === member
      );
    },
  };
}

function readImport(
  statement: SyntaxNode,
  names: { readonly modules: Set<string>; readonly languages: Set<string> },
): void {
  for (const name of statement.childrenForFieldName("name")) {
    const alias = name.type === "aliased_import" ? name.childForFieldName("alias")?.text : undefined;
    const module = name.childForFieldName("name")?.text;
    if (alias !== undefined && module === "triton") names.modules.add(alias);
    if (alias !== undefined && module === "triton.language") names.languages.add(alias);
  }
}

function readFromImport(statement: SyntaxNode, members: Map<string, string>): void {
  if (!/^triton(\.runtime(\.\w+)?)?$/.test(fieldText(statement, "module_name"))) return;
  for (const name of statement.childrenForFieldName("name")) {
    const original = name.type === "aliased_import" ? name.childForFieldName("name")?.text : name.text;
    const alias = name.type === "aliased_import" ? name.childForFieldName("alias")?.text : name.text;
    if (original !== undefined && alias !== undefined) members.set(alias, original);
  }
}

/** Name of a Python function's parameter, without annotation, default and stars. */
export function parameterName(node: SyntaxNode): string {
  if (node.type === "identifier") return node.text;
  return (node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? "";
}
