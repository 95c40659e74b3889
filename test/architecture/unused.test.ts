import { posix } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import manifest from "../../package.json";
import layers from "./layers.json";
import { projectFiles, readProjectFile } from "./project";
import { parseSource, visit } from "./sources";

const files = projectFiles();
const sources = files.filter((path) => /\.(tsx?|mjs)$/.test(path) && /^(client|server|test)\//.test(path));
const code = sources.filter((path) => !path.startsWith("test/cases/"));
const product = code.filter((path) => /^(client|server)\//.test(path));

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

test("every export of the product is used by another file, be it a test", () => {
  const used = new Set(code.flatMap(importsOf));
  const idle = product.flatMap((path) => {
    const module = path.replace(/(\.d)?\.(tsx?|mjs)$/, "");
    if (used.has(`${module}#*`)) return [];
    return exportsOf(path)
      .filter((name) => !used.has(`${module}#${name}`))
      .map((name) => `${path}: ${name}`);
  });
  // Called by VS Code.
  const outside = ["client/src/extension.ts: activate", "client/src/extension.ts: deactivate"];
  expect(idle.filter((each) => !outside.includes(each))).toEqual([]);
});

test("every package of package.json is named by a source, a script or a test", () => {
  const texts = files
    .filter((path) => /\.(ts|mjs|json)$/.test(path) && !/^package(-lock)?\.json$|^test\/cases\//.test(path))
    .map(readProjectFile);
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const scripts = Object.values(manifest.scripts).join("\n");
  // Found by the package's name: types without a module of their own, and the linter's typed rules.
  const ambient = ["@types/node", "@types/vscode", "oxlint-tsgolint"];
  const idle = packages.filter(
    (name) =>
      !ambient.includes(name) &&
      !scripts.includes(name) &&
      !texts.some((text) =>
        [`"${name}`, `node_modules/${name}"`, `"${commandOf(name)}"`].some((way) => text.includes(way)),
      ),
  );
  expect(idle).toEqual([]);
});

/** A package of a scope whose command is run: `@vscode/vsce` is `vsce`. */
function commandOf(name: string): string {
  return name.startsWith("@") ? (name.split("/")[1] ?? name) : name;
}

test("every layer is a folder or a file that is there", () => {
  const gone = Object.keys(layers.allowed).filter(
    (layer) =>
      !files.some((path) => path === layer || path === `${layer}.ts` || path.startsWith(`${layer}/`)),
  );
  expect(gone).toEqual([]);
});
