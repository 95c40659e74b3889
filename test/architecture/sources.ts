import ts from "typescript";
import { readProjectFile } from "./project";

/** Comments are no syntax here: without a tree for each of them a file is parsed in half the time. */
const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ES2022,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** A parsed TypeScript source with parent links. */
export function parseSource(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readProjectFile(path), options, true);
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
