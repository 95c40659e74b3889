import ts from "typescript";
import { readProjectFile } from "./project";

const parsed = new Map<string, ts.SourceFile>();

/** Comments are no syntax here: without a tree for each of them a file is parsed in half the time. */
const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ES2022,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** A parsed TypeScript source with parent links; parsed once for all tests of a file. */
export function parseSource(path: string): ts.SourceFile {
  const before = parsed.get(path);
  if (before !== undefined) return before;
  const source = ts.createSourceFile(path, readProjectFile(path), options, true);
  parsed.set(path, source);
  return source;
}

/** Visits every node below `node`, itself included. */
export function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  node.forEachChild((child) => visit(child, act));
}

/** Number of lines from the first to the last character of a node. */
export function lineCount(source: ts.SourceFile, node: ts.Node): number {
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  return source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}
