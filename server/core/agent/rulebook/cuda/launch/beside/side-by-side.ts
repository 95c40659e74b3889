import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { constantValue } from "../../../../../language/cuda/constants";
import { compact, enclosing, fieldText, isInside, partsOf, unwrapped } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { indentOf, insertBefore, replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold } from "../../../rule";
import { estimatedValue, type KernelView } from "../../kernel";
import type { Beside } from "./beside";
import { cutWarps } from "./cut-warps";
import { barriersHeld, isBarrier, warpSteps } from "./together";
import { sharedBeside } from "./shared-beside";

/**
 * The body for a block of `wide` columns and `rows` threads for each: what was the thread's number is its
 * number along y, what was the block's is the column, and shared memory is there once for each column.
 */
export function sideBySide(view: KernelView, beside: Beside): readonly TextEdit[] | RuleHold {
  const { body } = view;
  const { rows } = beside;
  const together = rows === 1 ? warpSteps(view) : togetherBeside(view, beside);
  if (isNot(together)) return together;
  const number = lastThread(view, beside);
  if (number !== undefined)
    return not("fixed-elsewhere", `the number ${number.text} stands for the last thread`, number);
  const shared = sharedBeside(view, beside);
  if (isNot(shared)) return shared;
  const alone = rows === 1 ? [] : storesInside(view);
  if (isNot(alone)) return alone;
  const gone = [...together, ...shared].filter(({ text }) => text === "" || text === ";");
  const isGone = (node: SyntaxNode): boolean =>
    gone.some(({ start, end }) => node.startIndex >= start && node.endIndex <= end);
  const warps = rows === 1 ? warpsOf(view, beside) : [];
  const covered = [...gone, ...warps, ...together];
  const numbers = [...placesBeside(view, beside), ...sizesBeside(view, beside)].filter(
    ({ start, end }) => !covered.some((edit) => start >= edit.start && end <= edit.end),
  );
  const clamped = rows > 1 && body.descendantsOfType("call_expression").some(isBarrier);
  return [
    startOf(view, beside, clamped),
    ...numbers,
    ...warps,
    ...together,
    ...shared,
    ...(clamped ? alone.filter((node) => !isGone(node)).flatMap(onlyInside) : []),
  ];
}

/** What the threads of several rows do together. */
function togetherBeside(view: KernelView, { wide, isCut }: Beside): readonly TextEdit[] | RuleHold {
  const held = barriersHeld(view, isCut);
  return isNot(held) || !isCut ? held : cutWarps(view, wide);
}

/** A store that only the columns of the array do. */
function onlyInside(statement: SyntaxNode): readonly TextEdit[] {
  if (statement.parent?.type === "compound_statement") return [insertBefore(statement, "if (inside) ")];
  const { endIndex: end } = statement;
  return [insertBefore(statement, "{ if (inside) "), { start: end, end, text: " }" }];
}

/** The number of the column at the start of the body. */
function startOf({ body, source }: KernelView, { column, columns }: Beside, clamped: boolean): TextEdit {
  const [first] = partsOf(body);
  const indent = first === undefined ? "  " : indentOf(source, first);
  const number = "blockIdx.x * blockDim.x + threadIdx.x";
  const lines = clamped
    ? [
        `const int ${column}At = ${number};`,
        `const bool inside = ${column}At < ${columns};`,
        `const int ${column} = inside ? ${column}At : ${columns} - 1;`,
      ]
    : [`const int ${column} = ${number};`, `if (${column} >= ${columns}) return;`];
  const start = body.startIndex + 1;
  return { start, end: start, text: lines.map((line) => `\n${indent}${line}`).join("") };
}

/** `threadIdx.x`, `blockDim.x`, `blockIdx.x` and `gridDim.x`. */
function placesBeside({ body }: KernelView, beside: Beside): readonly TextEdit[] {
  const { column, columns } = beside;
  const texts: Readonly<Record<string, string>> = {
    ...{ "blockIdx.x": column, "gridDim.x": columns },
    ...threadsBeside(beside),
  };
  return body.descendantsOfType("field_expression").flatMap((node) => {
    const text = texts[compact(node)];
    return text === undefined ? [] : [replaceNode(node, text)];
  });
}

/** What numbers and counts a column's threads. */
function threadsBeside({ rows, wide, isPlane }: Beside): Readonly<Record<string, string>> {
  const one = { "threadIdx.x": "0", "blockDim.x": "1" };
  if (rows === 1) return isPlane ? { ...one, "threadIdx.y": "0", "blockDim.y": "1" } : one;
  if (!isPlane) return { "threadIdx.x": "threadIdx.y", "blockDim.x": "blockDim.y" };
  const lanes = 32 / wide;
  return {
    ...{ "threadIdx.x": `(threadIdx.y % ${lanes})`, "threadIdx.y": `(threadIdx.y / ${lanes})` },
    ...{ "blockDim.x": String(lanes), "blockDim.y": String(rows / lanes) },
  };
}

/** The size of the block by name or as a number, and half of it where a loop begins. */
function sizesBeside(view: KernelView, { threads, rows }: Beside): readonly TextEdit[] {
  const { body, model } = view;
  const named = body.descendantsOfType("identifier").flatMap((node) => {
    const isField =
      node.parent?.type === "field_expression" && node.parent.childForFieldName("field")?.id === node.id;
    const value = /^[A-Za-z_]\w*$/.test(node.text) && !isField ? estimatedValue(view, node) : undefined;
    return value === threads ? [replaceNode(node, String(rows))] : [];
  });
  const numbers = body.descendantsOfType("number_literal").flatMap((node) => {
    const value = /^\d+[uUlL]*$/.test(node.text) ? constantValue(node.text, model.constants) : undefined;
    if (value === threads && !isFactor(node)) return [replaceNode(node, String(rows))];
    const head = enclosing(node, "for_statement")?.childForFieldName("initializer");
    const isHalf = value === threads / 2 && head !== undefined && head !== null && isInside(node, head);
    return isHalf ? [replaceNode(node, String(Math.floor(rows / 2)))] : [];
  });
  return [...named, ...numbers];
}

/** `blockDim.x / 32`, the warps of a block, as one: that of the only thread. */
function warpsOf(view: KernelView, { threads }: Beside): readonly TextEdit[] {
  return view.body.descendantsOfType("binary_expression").flatMap((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (left === null || right === null) return [];
    const divisor = compact(right) === "warpSize" ? 32 : estimatedValue(view, right);
    const operator = fieldText(node, "operator");
    const isWarp = (operator === "/" && divisor === 32) || (operator === ">>" && divisor === 5);
    const isBlock = compact(unwrapped(left)) === "blockDim.x" || estimatedValue(view, left) === threads;
    return isWarp && isBlock ? [replaceNode(node, "1")] : [];
  });
}

/** A number that is the last thread's of a block. */
function lastThread({ body }: KernelView, { threads }: Beside): SyntaxNode | undefined {
  return body
    .descendantsOfType("number_literal")
    .find(({ text }) => text.replace(/[uUlL]+$/, "") === String(threads - 1) && threads !== 32);
}

/** A number that is multiplied with, which is no size of a block. */
function isFactor(node: SyntaxNode): boolean {
  const parent = node.parent;
  return parent?.type === "binary_expression" && parent.childForFieldName("operator")?.text === "*";
}

/** Statements that store to global memory; a guard's answer where one is more than a statement. */
function storesInside(view: KernelView): readonly SyntaxNode[] | RuleHold {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const found = new Map<number, SyntaxNode>();
  for (const { node } of [...accesses.filter(({ stores }) => stores), ...atomics]) {
    const statement = enclosing(node, "expression_statement", "declaration", "for_statement");
    if (statement?.type !== "expression_statement")
      return not("unreadable", "a store is part of another statement", node);
    found.set(statement.id, statement);
  }
  return [...found.values()];
}
