import ts from "typescript";
import { expect, test } from "vitest";
import { projectFiles } from "./project";
import { parseSource, visit } from "./sources";

/** What composes texts of the editor: there every sentence is marked with `t`, told again, or for nobody. */
const composers = /^server\/(?:core\/words|host\/lsp)\/(?!.*model-text)/;

/** Two words, as a sentence or a part of one has them. */
const words = /[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}/;

/** Whose arguments no user of the editor reads: logs, bugs, conditions; or are marked elsewhere. */
const others = new Set([
  "background",
  "error",
  "invariant",
  "known",
  "last",
  "at",
  "plural",
  "push",
  "putAll",
  "request",
  "compileIfTrusted",
  "startsWith",
  "warn",
]);

/** A sentence that is composed without `t`, as `FILE:LINE: TEXT`. */
function unmarked(path: string): readonly string[] {
  const source = parseSource(path);
  const found: string[] = [];
  visit(source, (node) => {
    const isText =
      ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
    if (!isText || !words.test(bare(node)) || isMarked(node)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1}: ${node.getText()}`);
  });
  return found;
}

/** The literal without what stands in its braces. */
function bare(node: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("\0");
}

function isMarked(node: ts.Node): boolean {
  let isInFunction = false;
  for (let around: ts.Node = node; !ts.isSourceFile(around); around = around.parent) {
    if (ts.isTaggedTemplateExpression(around.parent) && around.parent.tag.getText() === "t") return true;
    if (ts.isTypeNode(around) || ts.isImportDeclaration(around) || isComparison(around)) return true;
    if (ts.isPropertyAssignment(around) && around.name.getText() === "forUser") return true;
    if (isForOthers(around, node)) return true;
    isInFunction ||= ts.isFunctionLike(around);
  }
  // Tables of a module are told again where they are read: a value there has no language yet.
  return !isInFunction;
}

function isComparison(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** `retold` takes what the catalogue has by its place (server/setup/support/text-places.json). */
function isForOthers(around: ts.Node, node: ts.Node): boolean {
  if (ts.isNewExpression(around)) return /Error$/.test(around.expression.getText());
  if (!ts.isCallExpression(around) || around.expression.end > node.pos) return false;
  const called = around.expression;
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
  return others.has(name) || name === "retold";
}

test("every sentence that the server composes for the editor can be translated", () => {
  const files = projectFiles().filter((path) => composers.test(path) && path.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(unmarked)).toEqual([]);
});
