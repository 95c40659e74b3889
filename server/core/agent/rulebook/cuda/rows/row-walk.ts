import { isPure } from "../../../../language/cuda/body/scope";
import { comparisonOf } from "../../../../language/cuda/body/loops";
import { compact, enclosing, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import type { RowNumber } from "./thread-rows";

/**
 * Lets each warp take several rows, a grid apart, where the grid cannot grow: `if (row < rows) …` becomes a
 * loop over rows, and what left the thread goes on to the next row.
 */
export function rowWalk(view: KernelView, row: RowNumber, lanes: number): readonly TextEdit[] | RuleHold {
  const all = partsOf(view.body);
  const place = all.findIndex(({ id }) => id === row.statement.id);
  const guard = all.slice(place + 1).find(({ type }) => type === "if_statement");
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  if (place < 0 || guard === undefined || !condition)
    return not("no-pattern", "no condition keeps the rows inside", row.statement);
  const exits = /^\{?return;\}?$/.test(compact(guard.childForFieldName("consequence")));
  const compared = comparisonOf(condition, row.name);
  if (compared?.comparison !== (exits ? ">=" : "<") || !isPure(compared.bound))
    return not("no-pattern", "the condition on the row is not its end alone", guard);
  const last = all.at(-1) ?? guard;
  if (!exits && last.id !== guard.id)
    return not("no-pattern", "something follows the condition on the row", last);
  const indent = indentOf(view.source, row.statement);
  const stride = `gridDim.x * blockDim.x / ${lanes}`;
  const head = `for (; ${row.name} < ${compared.bound.text}; ${row.name} += ${stride}) {`;
  return [
    ...constTaken(row.statement),
    insertBefore(guard, `${head}\n${indent}`),
    ...leaving(view.body, guard).map((node) => replaceNode(node, "continue;")),
    { start: last.endIndex, end: last.endIndex, text: `\n${indent}}` },
  ];
}

/** The declaration without `const`, so that the loop may change the row. */
function constTaken(declaration: SyntaxNode): readonly TextEdit[] {
  return declaration.children
    .filter(({ type, text }) => type === "type_qualifier" && text === "const")
    .map((node) => ({ start: node.startIndex, end: node.endIndex + 1, text: "" }));
}

/** Returns behind the guard, itself included; those in a loop of their own are never reached by this rule. */
function leaving(body: SyntaxNode, guard: SyntaxNode): readonly SyntaxNode[] {
  return body
    .descendantsOfType("return_statement")
    .filter((node) => node.startIndex >= guard.startIndex && isOutermost(node, body));
}

function isOutermost(node: SyntaxNode, body: SyntaxNode): boolean {
  const loop = enclosing(node, "for_statement", "while_statement", "do_statement");
  return loop === undefined || !isInside(loop, body);
}
