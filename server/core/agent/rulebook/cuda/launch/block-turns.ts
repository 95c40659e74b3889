import { calledFunctions } from "../../../../language/cuda/body/threads";
import { compact, enclosing, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { targetGpu } from "../../evidence";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel, type KernelView } from "../kernel";
import { countPassed, numbersElsewhere } from "./beside/counted-blocks";
import { launchedBlocks } from "./block-shape";
import { onlyLaunch } from "./grid-edit";

/** Threads of a multiprocessor that still hide most of what is waited for. */
const threadsEach = 512;

/**
 * A kernel whose blocks take the places of all blocks of before in turn, so that any number of them does all
 * of the work; its launches count as many blocks as fill the GPU. Lines stay where they are. Undefined where
 * the number of the block means more than that, or there are few blocks.
 */
export function inBlockTurns(input: RuleInput): RuleInput | undefined {
  const view = cudaKernel(input);
  if (isNot(view) || numbersElsewhere(view) !== undefined) return undefined;
  const threads = input.launches?.[0]?.threadsPerBlock ?? threadsEach;
  const most = blocksInTurn(input, threads);
  if ((launchedBlocks(input, view) ?? 0) < 2 * most) return undefined;
  const edits = turnEdits(input, view);
  const launches = input.launches?.map((each) => ({ ...each, blocks: Math.min(each.blocks, most) }));
  return edits && { ...input, tree: editedTree(input, edits), launches };
}

/** The loop around the body, with how many blocks there were as one more parameter. */
function turnEdits(input: RuleInput, view: KernelView): readonly TextEdit[] | undefined {
  const launch = onlyLaunch(input, view);
  if (isNot(launch) || launch.grid.slice(1).some(({ text }) => text !== "1")) return undefined;
  const [block, count] = [freshName(view.source, "block"), freshName(view.source, "blocks")];
  const numbers = blockNumbers(view);
  const leaving = leavingStatements(view);
  const passed = countPassed(view, launch, count);
  if (numbers === undefined || leaving === undefined || isNot(passed)) return undefined;
  const [first] = partsOf(view.body);
  const [start, end] = [first?.startIndex ?? view.body.startIndex + 1, view.body.endIndex - 1];
  const head = `for (int ${block} = blockIdx.x; ${block} < ${count}; ${block} += gridDim.x) { `;
  // A block may not begin its next turn while some of its threads still read what they share.
  const meets = cooperates(view) ? "__syncthreads();\n" : "";
  return [
    ...passed,
    { start, end: start, text: head },
    ...numbers.map((node) => replaceNode(node, block)),
    ...leaving.map((node) => replaceNode(node, "continue;")),
    { start: end, end, text: `${meets}}\n` },
  ];
}

/** So many blocks that take turns fill the GPU. */
export function blocksInTurn(input: RuleInput, threads: number): number {
  return targetGpu(input).multiprocessors * Math.max(1, Math.floor(threadsEach / threads));
}

/** Every `blockIdx.x`; undefined where the kernel asks for another number of the grid. */
function blockNumbers({ body }: KernelView): readonly SyntaxNode[] | undefined {
  const numbers = usesOf(body, "blockIdx").map(({ parent }) => parent);
  const own = numbers.flatMap((node) => (node !== null && compact(node) === "blockIdx.x" ? [node] : []));
  const isAll = own.length === numbers.length && own.length > 0 && usesOf(body, "gridDim").length === 0;
  return isAll ? own : undefined;
}

/** Statements that leave the kernel; undefined where one stands in a loop, or others would wait for it. */
function leavingStatements(view: KernelView): readonly SyntaxNode[] | undefined {
  const leaving = view.body.descendantsOfType("return_statement");
  const isPlain = leaving.every(
    (node) =>
      enclosing(node, "for_statement", "while_statement", "do_statement", "lambda_expression") === undefined,
  );
  return isPlain && (leaving.length === 0 || !cooperates(view)) ? leaving : undefined;
}

/** True where the threads of a block share memory or wait for each other. */
function cooperates({ model, kernel, body }: KernelView): boolean {
  const shares = /\b__shared__\b|\b__sync(?:threads\w*|warp)\b|\bcooperative_groups\b|\bthis_thread_block\b/;
  return shares.test(body.text) || calledFunctions(model, kernel).some((node) => shares.test(node.text));
}
