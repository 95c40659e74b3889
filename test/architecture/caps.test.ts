import ts from "typescript";
import { expect, test } from "vitest";
import { lineCount, parseSource, projectFiles, readProjectFile, visit } from "./sources";

const caps = {
  fileLines: 400,
  functionLines: 60,
  methods: 12,
  fields: 10,
  imports: 15,
  parameters: 4,
  literal: 800,
};
const composeFiles = /(^|\/)compose[^/]*\.ts$/;

const sources = projectFiles().filter(
  (path) =>
    /\.ts$/.test(path) &&
    !/\.d\.ts$/.test(path) &&
    !path.startsWith("samples/") &&
    !path.startsWith("test/cases/"),
);
const productSources = sources.filter((path) => !path.startsWith("test/"));

type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration;

function isFunction(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)
  );
}

/**
 * A table of tests is one call with one long arrow; only functions of the product, and helpers of tests, are
 * capped.
 */
function isTestBody(path: string, node: ts.Node): boolean {
  return (
    path.startsWith("test/") &&
    ts.isCallExpression(node.parent) &&
    /^(describe|suite)/.test(node.parent.expression.getText())
  );
}

function classFaults(path: string, source: ts.SourceFile, node: ts.ClassLikeDeclaration): string[] {
  const methods = node.members.filter(
    (member) => ts.isMethodDeclaration(member) || ts.isAccessor(member),
  ).length;
  const fields = node.members.filter(ts.isPropertyDeclaration).length;
  const name = `${path}: class ${node.name?.text ?? "(anonymous)"}`;
  return [
    ...(methods > caps.methods ? [`${name} has ${methods} methods, at most ${caps.methods}`] : []),
    ...(fields > caps.fields ? [`${name} has ${fields} fields, at most ${caps.fields}`] : []),
  ];
}

function functionFaults(path: string, source: ts.SourceFile, node: FunctionNode): string[] {
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const lines = lineCount(source, node);
  return [
    ...(lines > caps.functionLines && !isTestBody(path, node)
      ? [`${path}:${line}: function of ${lines} lines, at most ${caps.functionLines}`]
      : []),
    ...(node.parameters.length > caps.parameters && !ts.isConstructorDeclaration(node)
      ? [
          `${path}:${line}: ${node.parameters.length} parameters, at most ${caps.parameters}: take an options object`,
        ]
      : []),
  ];
}

function faultsOf(path: string): string[] {
  const source = parseSource(path);
  const faults: string[] = [];
  const lines = readProjectFile(path).split("\n").length - 1;
  if (lines > caps.fileLines) faults.push(`${path}: ${lines} lines, at most ${caps.fileLines}`);
  const imports = source.statements.filter(ts.isImportDeclaration).length;
  if (imports > caps.imports && !composeFiles.test(path) && !path.startsWith("test/"))
    faults.push(`${path}: ${imports} imports, at most ${caps.imports}`);
  visit(source, (node) => {
    if (isFunction(node)) faults.push(...functionFaults(path, source, node));
    if (ts.isClassLike(node)) faults.push(...classFaults(path, source, node));
    if (ts.isStringLiteralLike(node) && node.text.length > caps.literal && !path.startsWith("test/")) {
      faults.push(
        `${path}: a string literal of ${node.text.length} characters, at most ${caps.literal}: make it a data file`,
      );
    }
  });
  return faults;
}

test("size caps hold in every TypeScript file", () => {
  expect(sources.flatMap(faultsOf)).toEqual([]);
});

test("Python and C++ files are below the cap", () => {
  const others = projectFiles().filter(
    (path) => /\.(py|cpp|hpp)$/.test(path) && !path.startsWith("test/cases/"),
  );
  const long = others.filter((path) => readProjectFile(path).split("\n").length - 1 > caps.fileLines);
  expect(long).toEqual([]);
});

test("no any, no empty catch, no console, no module mock, no mark left in the code", () => {
  const faults: string[] = [];
  for (const path of sources) {
    const source = parseSource(path);
    visit(source, (node) => {
      const at = (): string =>
        `${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
      if (node.kind === ts.SyntaxKind.AnyKeyword) faults.push(`${at()}: any`);
      if (ts.isCatchClause(node) && node.block.statements.length === 0) faults.push(`${at()}: empty catch`);
      if (ts.isPropertyAccessExpression(node) && node.expression.getText(source) === "console")
        faults.push(`${at()}: console`);
      if (ts.isPropertyAccessExpression(node) && node.getText(source) === "vi.mock")
        faults.push(`${at()}: module mock`);
      if (ts.isExportAssignment(node) && !/config\.ts$/.test(path)) faults.push(`${at()}: default export`);
    });
    if (
      path !== "test/architecture/caps.test.ts" &&
      /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.only\(|@ts-ignore/.test(readProjectFile(path))
    )
      faults.push(`${path}: a mark was left in`);
  }
  expect(faults).toEqual([]);
});

test("files are named in kebab-case", () => {
  const named = [...productSources, ...sources].filter(
    (path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.(test|d|config|base))*\.ts$/.test(path),
  );
  expect([...new Set(named)]).toEqual([]);
});
