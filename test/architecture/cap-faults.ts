import { posix } from "node:path";
import ts from "typescript";
import caps from "./caps.json";
import { readProjectFile } from "./project";
import { lineCount, visit } from "./sources";

/** Compose files wire objects, so they import what they wire. */
const composeFiles = /(^|\/)compose[^/]*\.ts$/;

type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration;

// Taken out once: each name that is read of an imported package costs more than what it does here.
const { isClassLike, isStringLiteralLike, SyntaxKind } = ts;
const functionKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

function isFunction(node: ts.Node): node is FunctionNode {
  return functionKinds.has(node.kind);
}

/** The name of the nearest declaration around a node, so that a fault keeps its text when lines move. */
function nameOf(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    const named = at as ts.Node & { readonly name?: ts.Node };
    if (named.name !== undefined) return named.name.getText();
    if (ts.isConstructorDeclaration(at)) return `${nameOf(at.parent)}.constructor`;
  }
  return "(anonymous)";
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

/** Fields of a class: those declared in its body and those that its constructor's parameters declare. */
function fieldCount(node: ts.ClassLikeDeclaration): number {
  const declared = node.members.filter(ts.isPropertyDeclaration).length;
  const constructor = node.members.find(ts.isConstructorDeclaration);
  const promoted = constructor?.parameters.filter((parameter) =>
    ts.isParameterPropertyDeclaration(parameter, constructor),
  );
  return declared + (promoted?.length ?? 0);
}

function classFaults(path: string, node: ts.ClassLikeDeclaration): string[] {
  const methods = node.members.filter(
    (member) => ts.isMethodDeclaration(member) || ts.isAccessor(member),
  ).length;
  const name = `${path}: class ${node.name?.text ?? "(anonymous)"}`;
  return [
    ...(methods > caps.methods ? [`${name}: more than ${caps.methods} methods`] : []),
    ...(fieldCount(node) > caps.fields ? [`${name}: more than ${caps.fields} fields`] : []),
  ];
}

function functionFaults(path: string, source: ts.SourceFile, node: FunctionNode): string[] {
  const name = `${path}: function ${nameOf(node)}`;
  const isLong = lineCount(source, node) > caps.functionLines && !isTestBody(path, node);
  const isWide = node.parameters.length > caps.parameters && !ts.isConstructorDeclaration(node);
  return [
    ...(isLong ? [`${name}: more than ${caps.functionLines} lines`] : []),
    ...(isWide ? [`${name}: more than ${caps.parameters} parameters: take an options object`] : []),
  ];
}

/** Faults of one TypeScript file against caps.json, one sentence each and without line numbers. */
export function capFaults(path: string, source: ts.SourceFile): string[] {
  const faults: string[] = [];
  if (fileLines(path) > caps.fileLines) faults.push(`${path}: more than ${caps.fileLines} lines`);
  const imports = source.statements.filter(ts.isImportDeclaration).length;
  if (imports > caps.imports && !composeFiles.test(path) && !path.startsWith("test/"))
    faults.push(`${path}: more than ${caps.imports} imports`);
  visit(source, (node) => {
    if (isFunction(node)) faults.push(...functionFaults(path, source, node));
    if (isClassLike(node)) faults.push(...classFaults(path, node));
    if (isStringLiteralLike(node) && node.text.length > caps.literal && !path.startsWith("test/"))
      faults.push(`${path}: a literal of more than ${caps.literal} characters: make it a data file`);
  });
  return faults;
}

/** Number of lines of a file. */
export function fileLines(path: string): number {
  return readProjectFile(path).split("\n").length - 1;
}

/** Folders that hold more code files than a reader can keep in mind. */
export function folderFaults(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > caps.folderFiles)
    .map(([folder]) => `${folder}: more than ${caps.folderFiles} code files`);
}

/**
 * Lines over the width that a formatter could not break: what is left is prose in comments, and code that
 * grew too deep. A line whose length is a string, a template or a pattern stays: breaking text apart makes it
 * harder to search.
 */
export function widthFaults(path: string): string[] {
  const isBreakable = (line: string): boolean =>
    !/["'`/]/.test(line.trim()) || /^\s*(\/\/|\/?\*|#)/.test(line);
  const wide = readProjectFile(path)
    .split("\n")
    .filter((line) => line.length > caps.lineColumns && isBreakable(line) && !/https?:\/\//.test(line));
  return wide.length === 0 ? [] : [`${path}: lines wider than ${caps.lineColumns} columns`];
}
