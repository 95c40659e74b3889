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
  /**
   * A dotted name under the names that documentation uses: `tl.load` for members of `triton.language`,
   * `triton.jit` for those of `triton`. Undefined for what belongs to neither.
   */
  canonical(dotted: string): string | undefined;
}

/**
 * Reads the import statements of a file. Without any, the usual names (`triton`, `tl`) are taken for what
 * they are called.
 */
export function tritonNames(root: SyntaxNode): TritonNames {
  const modules = new Set(["triton"]);
  const languages = new Set(["tl", "triton.language"]);
  const members = new Map<string, string>();
  const languageMembers = new Map<string, string>();
  for (const statement of root.descendantsOfType(["import_statement", "import_from_statement"])) {
    if (statement.type === "import_statement") readImport(statement, { modules, languages });
    else readFromImport(statement, { members, languageMembers });
  }
  for (const [alias, original] of members) if (original === "language") languages.add(alias);
  return {
    canonical: (dotted) => canonicalName(dotted, { modules, languages, members, languageMembers }),
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

interface ImportedNames {
  readonly members: Map<string, string>;
  readonly languageMembers: Map<string, string>;
}

function readFromImport(statement: SyntaxNode, { members, languageMembers }: ImportedNames): void {
  const module = fieldText(statement, "module_name");
  const ofLanguage = /^triton\.language(\.math)?$/.test(module);
  if (!ofLanguage && !/^triton(\.runtime(\.\w+)?)?$/.test(module)) return;
  for (const name of statement.childrenForFieldName("name")) {
    const original = name.type === "aliased_import" ? name.childForFieldName("name")?.text : name.text;
    const alias = name.type === "aliased_import" ? name.childForFieldName("alias")?.text : name.text;
    if (original === undefined || alias === undefined) continue;
    (ofLanguage ? languageMembers : members).set(alias, original);
  }
}

function canonicalName(
  dotted: string,
  names: ImportedNames & { readonly modules: ReadonlySet<string>; readonly languages: ReadonlySet<string> },
): string | undefined {
  const dot = dotted.lastIndexOf(".");
  const member = dotted.slice(dot + 1);
  if (dot < 0) {
    const [ofLanguage, ofPackage] = [names.languageMembers.get(member), names.members.get(member)];
    if (ofLanguage !== undefined) return `tl.${ofLanguage}`;
    return ofPackage === undefined ? undefined : `triton.${ofPackage}`;
  }
  const object = dotted.slice(0, dot);
  if (names.languages.has(object.replace(/\.math$/, ""))) return `tl.${member}`;
  return names.modules.has(object) ? `triton.${member}` : undefined;
}

/** Name of a Python function's parameter, without annotation, default and stars. */
export function parameterName(node: SyntaxNode): string {
  if (node.type === "identifier") return node.text;
  return (node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? "";
}
