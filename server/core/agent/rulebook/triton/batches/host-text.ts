import { isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, outdented, type TextEdit } from "../../edits";
import type { TritonView } from "../kernel";
import { type BatchLoop, gridStatement } from "./batch-loop";

/** Statements of a turn that are left out, and what else of the host goes with the loop. */
interface Beside {
  /** Texts of statements of the loop that are left out. */
  readonly dropped: readonly string[];
  readonly edits: readonly TextEdit[];
}

/** The statement that makes the grid goes, where the launch gets a grid of its own. */
export function withoutGrid(view: TritonView, { turns }: BatchLoop): Beside {
  const made = gridStatement(view);
  const outer = turns[0]?.loop;
  if (made === undefined || outer === undefined) return { dropped: [], edits: [] };
  return isInside(made, outer)
    ? { dropped: [made.text], edits: [] }
    : { dropped: [], edits: [withoutLine(view.source, made)] };
}

/** The launch without its loops, and what is left of them before and behind it. */
export function unlooped(
  view: TritonView,
  batch: BatchLoop,
  { dropped, edits }: Beside,
): readonly TextEdit[] {
  const { source } = view;
  const { body } = batch;
  const [outer, statement] = [batch.turns[0]?.loop, view.launch.call.parent];
  if (outer === undefined || statement === null) return [];
  const indent = indentOf(source, outer);
  const columns = indentOf(source, statement).length - indent.length;
  const before = body.before.filter((text) => !dropped.includes(text));
  const checks = body.checks.length === 0 ? [] : [loopText(batch, body.checks, indent)];
  const opening = [...before, ...checks].map((text) => `${text}\n${indent}`).join("");
  const behind = body.behind.length === 0 ? "" : `\n${indent}${loopText(batch, body.behind, indent)}`;
  return [
    { start: outer.startIndex, end: statement.startIndex, text: opening },
    ...outdented(source, { start: statement.startIndex, end: statement.endIndex }, columns),
    { start: statement.endIndex, end: outer.endIndex, text: behind },
    ...body.stacked,
    ...edits,
  ];
}

/** Statements of a turn under a loop of their own. */
function loopText({ turns }: BatchLoop, statements: readonly string[], indent: string): string {
  const [turn] = turns;
  return [`for ${turn?.head ?? ""}:`, ...statements.map((text) => `${indent}    ${text}`)].join("\n");
}

/** Where the kernel's own statements begin, behind its docstring. */
export function firstStatement({ body }: TritonView): SyntaxNode {
  const statements = partsOf(body);
  const isText = (node: SyntaxNode): boolean => node.namedChildren[0]?.type === "string";
  return statements.find((statement) => !isText(statement)) ?? body;
}

function withoutLine(source: string, node: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", node.startIndex), end: node.endIndex, text: "" };
}
