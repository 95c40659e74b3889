import { posix } from "node:path";
import ts from "typescript";
import { parseSource, visit } from "./sources";

/** Names that a file takes from others, as `path#name`; `path#*` where it takes everything. */
function importsOf(path: string): readonly string[] {
  const taken: string[] = [];
  visit(parseSource(path), (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined || !specifier.startsWith(".")) return;
    const from = posix.join(posix.dirname(path), specifier).replace(/\.(mjs|js|tsx?)$/, "");
    taken.push(...namesOf(node).map((name) => `${from}#${name}`));
  });
  return taken;
}

/** The module that an import, a re-export, `import("…")` as a value or `import("…")` as a type names. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return node.moduleSpecifier && textOf(node.moduleSpecifier);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0] && textOf(node.arguments[0]);
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
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
function exportsOf(path: string): readonly string[] {
  return parseSource(path).statements.flatMap((statement) =>
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

/**
 * Exports of the product that no other file uses, be it a test, as `path: name`.
 * @param sources all sources, those of tests among them
 */
export function idleExports(sources: readonly string[]): readonly string[] {
  const used = new Set(sources.flatMap(importsOf));
  return sources
    .filter((path) => /^(client|server)\//.test(path))
    .flatMap((path) => {
      const module = path.replace(/(\.d)?\.(tsx?|mjs)$/, "");
      if (used.has(`${module}#*`)) return [];
      return exportsOf(path)
        .filter((name) => !used.has(`${module}#${name}`))
        .map((name) => `${path}: ${name}`);
    });
}
