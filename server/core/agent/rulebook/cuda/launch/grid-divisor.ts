import { constantNamed, constantValue } from "../../../../language/cuda/constants";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { compact, operands, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { canonicalFunction } from "../../../../workload/size-functions";
import type { TextEdit } from "../../edits";
import { replaceNode } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { rowOfThreads } from "./block-shape";
import { gridEdits, specFixesGrid } from "./grid-edit";

/** The number of elements of a block in a one-dimensional grid such as `(n + BLOCK - 1) / BLOCK`. */
interface GridDivisor {
  /** Edits that let a block cover that many times the elements. */
  times(factor: number): readonly TextEdit[];
}

/**
 * Finds the rounded-up division in the grid of the only launch; nothing changes where the spec gives the
 * grid.
 */
function gridDivisor(input: RuleInput, view: KernelView): GridDivisor | RuleHold {
  // Threads beyond the end leave at once, so a grid that only the spec gives may stay too large.
  if (specFixesGrid(input, view)) return { times: () => [] };
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const { launch } = block;
  if (launch === undefined) return not("launch", "the kernel has more than one launch", view.line);
  const [extent, ...more] = launch.grid;
  if (extent === undefined) return not("launch", "the launch says no grid", launch.call);
  if (more.some(({ text }) => text !== "1"))
    return not("launch", "the grid has more than one dimension", launch.call);
  const expression = extent.node === undefined ? undefined : followed(extent.node, launch);
  const divisor = expression === undefined ? undefined : divisorOf(unwrapped(expression), blockOf(launch));
  return (
    divisor ?? not("launch", `the grid ${extent.text} is no division by the block, rounded up`, launch.call)
  );
}

/**
 * The same for any grid that the source states: fewer blocks along x, rounded up, reach as far when each
 * covers more.
 */
export function blocksAcross(input: RuleInput, view: KernelView): GridDivisor | RuleHold {
  const divisor = gridDivisor(input, view);
  if (!isNot(divisor) || leavesRest(view)) return divisor;
  const fewer = (factor: number): readonly TextEdit[] | RuleHold =>
    gridEdits(input, view, ([x, y, z]) => [`(${x} + ${factor - 1}) / ${factor}`, y, z]);
  const held = fewer(2);
  return isNot(held) ? divisor : { times: (factor) => edited(fewer(factor)) };
}

/** `n / BLOCK`: with blocks that cover more, other elements would be left at the end. */
function leavesRest({ launches }: KernelView): boolean {
  return launches.some((launch) => {
    const node = launch.grid[0]?.node;
    const expression = node && unwrapped(followed(node, launch) ?? node);
    const left = expression?.childForFieldName("left");
    const divides = expression?.childForFieldName("operator")?.text === "/";
    return divides && left !== null && left !== undefined && !/[+]/.test(left.text);
  });
}

function edited(edits: readonly TextEdit[] | RuleHold): readonly TextEdit[] {
  return isNot(edits) ? [] : edits;
}

/** The division by one extent of the block in the same extent of the grid, where it is rounded up. */
export function extentDivisor(launch: CudaLaunch, place: 0 | 1 | 2): GridDivisor | undefined {
  const node = launch.grid[place]?.node;
  const expression = node === undefined ? undefined : followed(node, launch);
  return expression && divisorOf(unwrapped(expression), blockOf(launch, place));
}

/** The expression behind a name of the host function that serves this launch alone. */
function followed(node: SyntaxNode, launch: CudaLaunch): SyntaxNode | undefined {
  if (node.type !== "identifier") return node;
  const value = constantNamed(launch.names, node.text)?.node;
  const used = launch.host === undefined ? [] : usesOf(launch.host, node.text);
  return value !== undefined && used.length === 2 ? unwrapped(value) : undefined;
}

/** The block of a launch: which expressions are the same number, and its value. */
interface Block {
  readonly value: number | undefined;
  is(node: SyntaxNode | null | undefined): boolean;
}

function blockOf({ block, names }: CudaLaunch, place: 0 | 1 | 2 = 0): Block {
  const text = block[place]?.text ?? "";
  const value = constantValue(text, names);
  const plain = text.replace(/\s+/g, "");
  return {
    value,
    is: (node) => {
      if (!node) return false;
      const inner = unwrapped(node);
      return compact(inner) === plain || (value !== undefined && constantValue(inner.text, names) === value);
    },
  };
}

function divisorOf(expression: SyntaxNode, block: Block): GridDivisor | undefined {
  return divisionCall(expression, block) ?? roundedSum(expression, block) ?? oneMore(expression, block);
}

function scaled(node: SyntaxNode, factor: number): TextEdit {
  const literal = node.type === "number_literal" && /^\d+$/.test(node.text);
  if (literal) return replaceNode(node, String(Number(node.text) * factor));
  return replaceNode(node, factor < 1 ? `(${node.text} / ${1 / factor})` : `(${factor} * ${node.text})`);
}

/** `ceil_div(n, BLOCK)` in its spellings, and `ceil(n / (float)BLOCK)`. */
function divisionCall(expression: SyntaxNode, block: Block): GridDivisor | undefined {
  if (expression.type !== "call_expression") return undefined;
  const name = canonicalFunction(compact(expression.childForFieldName("function")));
  const [first, second] = partsOf(expression.childForFieldName("arguments"));
  if (name === "ceil_div" && block.is(second) && second !== undefined)
    return { times: (factor) => [scaled(second, factor)] };
  const divisor = name === "ceil" && first !== undefined ? divisorIn(first, block) : undefined;
  return divisor === undefined ? undefined : { times: (factor) => [scaled(divisor, factor)] };
}

/** The right side of a division, casts taken away, when it is the block. */
function divisorIn(expression: SyntaxNode, block: Block): SyntaxNode | undefined {
  const inner = unwrapped(expression);
  if (inner.childForFieldName("operator")?.text !== "/") return undefined;
  const right = inner.childForFieldName("right");
  const bare = right?.type === "cast_expression" ? right.childForFieldName("value") : right;
  return bare && block.is(bare) ? bare : undefined;
}

/** `(n + BLOCK - 1) / BLOCK` and `(n + 255) / 256`. */
function roundedSum(expression: SyntaxNode, block: Block): GridDivisor | undefined {
  const [left, right] = [expression.childForFieldName("left"), divisorIn(expression, block)];
  if (left === null || right === undefined) return undefined;
  const { value } = block;
  const rounding = operands(left, "+").find(
    (term) => term.type === "number_literal" && value !== undefined && Number(term.text) === value - 1,
  );
  if (rounding !== undefined && value !== undefined) {
    return { times: (factor) => [replaceNode(rounding, String(value * factor - 1)), scaled(right, factor)] };
  }
  const added = blockLessOne(left, block);
  return added === undefined
    ? undefined
    : { times: (factor) => [scaled(added, factor), scaled(right, factor)] };
}

/** The block in `n + BLOCK - 1` or `n + (BLOCK - 1)`. */
function blockLessOne(sum: SyntaxNode, block: Block): SyntaxNode | undefined {
  const terms = operands(sum, "+");
  const difference = terms.length === 1 ? terms[0] : terms.find((term) => isLessOne(term));
  if (difference === undefined || !isLessOne(difference)) return undefined;
  const before = difference.childForFieldName("left");
  const inner = before === null ? [] : operands(before, "+");
  return inner.find((term) => block.is(term));
}

function isLessOne(node: SyntaxNode): boolean {
  return node.childForFieldName("operator")?.text === "-" && node.childForFieldName("right")?.text === "1";
}

/** `(n - 1) / BLOCK + 1` and `n / BLOCK + 1`. */
function oneMore(expression: SyntaxNode, block: Block): GridDivisor | undefined {
  const terms = operands(expression, "+");
  const division = terms.find((term) => divisorIn(term, block) !== undefined);
  const divisor = division === undefined ? undefined : divisorIn(division, block);
  const one = terms.some((term) => term.text === "1");
  return terms.length === 2 && one && divisor !== undefined
    ? { times: (factor) => [scaled(divisor, factor)] }
    : undefined;
}
