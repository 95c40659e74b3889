import { posix } from "node:path";
import ts from "typescript";
import { visit } from "./sources";

/** An import or a re-export. */
export interface ImportEdge {
  readonly from: string;
  /** Project path without suffix for a relative import, package name else. */
  readonly to: string;
  readonly relative: boolean;
  readonly typeOnly: boolean;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}

/** The imports and re-exports of a file. */
export function edgesOf(path: string, source: ts.SourceFile): ImportEdge[] {
  return source.statements.flatMap((statement) => {
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const relative = specifier.text.startsWith(".");
    const typeOnly = ts.isImportDeclaration(statement)
      ? isTypeOnly(statement.importClause)
      : (statement as ts.ExportDeclaration).isTypeOnly;
    return [
      {
        from: path,
        to: relative ? posix.join(posix.dirname(path), specifier.text) : specifier.text,
        relative,
        typeOnly,
      },
    ];
  });
}

/** Names that a file takes from others, as `path#name`; `path#*` where it takes everything. */
export function takenNames(path: string, source: ts.SourceFile): readonly string[] {
  const taken: string[] = [];
  visit(source, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined || !specifier.startsWith(".")) return;
    const from = posix.join(posix.dirname(path), specifier).replace(/\.(mjs|js|tsx?)$/, "");
    taken.push(...namesOf(node).map((name) => `${from}#${name}`));
  });
  return taken;
}

// Taken out once: each name that is read of an imported package costs more than what it does here.
const { isCallExpression, isExportDeclaration, isImportDeclaration, isImportTypeNode, SyntaxKind } = ts;

/** The module that an import, a re-export, `import("…")` as a value or `import("…")` as a type names. */
function specifierOf(node: ts.Node): string | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node))
    return node.moduleSpecifier && textOf(node.moduleSpecifier);
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword)
    return node.arguments[0] && textOf(node.arguments[0]);
  return isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
    ? textOf(node.argument.literal)
    : undefined;
}

function textOf(node: ts.Node): string | undefined {
  return ts.isStringLiteral(node) ? node.text : undefined;
}

function namesOf(node: ts.Node): readonly string[] {
  if (ts.isImportTypeNode(node))
    return node.qualifier ? [node.qualifier.getText().replace(/\..*/, "")] : ["*"];
  const named = ts.isImportDeclaration(node)
    ? node.importClause?.namedBindings
    : ts.isExportDeclaration(node) && node.exportClause;
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return ["*"];
  return named.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** Names that a file exports by a declaration. */
export function exportedNames(source: ts.SourceFile): readonly string[] {
  return source.statements.flatMap((statement) =>
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      ? declaredNames(statement)
      : [],
  );
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}
