import { at } from "../base/known";
import type { Diagnostic } from "../judge/verdict";
import { descendants } from "./query";
import type { SourceFile } from "./source-file";
import type { SyntaxNode } from "./tree";

const closers: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };
const mostErrors = 20;

/**
 * What certainly does not parse. The Python grammar is exact, so each error node counts. The CUDA grammar
 * stumbles over macros that nvcc reads well, so of CUDA only brackets that do not match count; everything
 * else is for the compiler to say.
 */
export function syntaxErrors(source: SourceFile, path: string): readonly Diagnostic[] {
  const { root } = source.tree;
  if (!root.hasError) return [];
  const wrong = source.dialect === "triton" ? errorNodes(root) : unmatchedBrackets(root);
  return wrong.slice(0, mostErrors).map(({ node, message }) => ({
    severity: "error",
    file: path,
    line: node.startPosition.row + 1,
    column: node.startPosition.column + 1,
    message,
    source: "syntax",
  }));
}

/**
 * The first line that the grammar stumbles over, one-based; macros make it stumble as well. Undefined where
 * all is read.
 */
export function firstUnreadLine({ tree: { root } }: SourceFile): number | undefined {
  const [first] = errorNodes(root);
  return first && first.node.startPosition.row + 1;
}

interface Wrong {
  readonly node: SyntaxNode;
  readonly message: string;
}

function errorNodes(root: SyntaxNode): readonly Wrong[] {
  const found: Wrong[] = [];
  const walk = (node: SyntaxNode): void => {
    if (node.isMissing) found.push({ node, message: `expected ${node.type}` });
    else if (node.isError)
      found.push({ node, message: `this does not parse: ${at(node.text.split("\n"), 0).slice(0, 60)}` });
    else if (node.hasError) node.children.forEach(walk);
  };
  walk(root);
  return found;
}

function unmatchedBrackets(root: SyntaxNode): readonly Wrong[] {
  const open: SyntaxNode[] = [];
  for (const token of descendants(root, "{", "}", "(", ")", "[", "]")) {
    if (token.isMissing) continue;
    if (closers[token.type] !== undefined) open.push(token);
    else if (closers[open.at(-1)?.type ?? ""] === token.type) open.pop();
    else return [{ node: token, message: `"${token.type}" closes nothing` }];
  }
  const last = open.at(-1);
  return last ? [{ node: last, message: `"${last.type}" is not closed` }] : [];
}
