import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Every file that git tracks or would track, POSIX, sorted. */
export function projectFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: projectRoot,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split("\n"))]
    .filter((path) => path !== "" && existsSync(join(projectRoot, path)))
    .sort();
}

export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}

const parsed = new Map<string, ts.SourceFile>();

/** A parsed TypeScript source with parent links; parsed once for all tests of a file. */
export function parseSource(path: string): ts.SourceFile {
  const before = parsed.get(path);
  if (before !== undefined) return before;
  const source = ts.createSourceFile(path, readProjectFile(path), ts.ScriptTarget.ES2022, true);
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
