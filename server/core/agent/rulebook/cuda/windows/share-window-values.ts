import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { calledFunctions, declaredName } from "../../../../language/cuda/body/threads";
import { compact, enclosing, fieldText, isInside, lineOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { effectsOf } from "../order/statement-effects";
import { firstThreadText, placedText, type PlacedText } from "./window-places";

/** A function of the places of a window that each thread computes for itself. */
interface WindowValue {
  readonly call: SyntaxNode;
  readonly loop: CountedLoop;
  /** First turn of the loop, and how many it has. */
  readonly first: number;
  readonly turns: number;
  readonly type: string;
  readonly placed: PlacedText;
}

const placeName = "windowPlace";

/**
 * Computes what a window makes of each of its places once for a block: `f(x + i + w)` in a loop over `w` has
 * the same values in neighbouring threads.
 */
export const shareWindowValues = defineRule("cuda-share-window-values", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = countedLoops(view.body).flatMap((loop) => valuesIn(view, loop));
  const [best] = found
    .map((value) => ({ value, work: workOf(input, view, value.call) }))
    .sort((a, b) => b.work - a.work);
  if (best === undefined)
    return not("no-pattern", "no function of a window's places is computed by several threads", view.line);
  const { value, work } = best;
  const { call, turns } = value;
  const share = shareSaved(work, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "what is computed of a window's places takes little of the time", call);
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const threads = block.sizes[0];
  const left = (threads + turns - 1) / (threads * turns);
  const gain = gainOn(input, ["issue", "integer", "fp32", "special", "l1", "latency"], share * (1 - left));
  const frame = frameOf(view, value);
  if (isNot(frame)) return { ...frame, gain };
  const name = fieldText(call, "function");
  const facts = { file: input.file, line: lineOf(call), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, { value, frame, threads })),
    hypothesis: fillSentence(entry.hypothesis, { call: name, places: threads + turns - 1 }),
    evidence: evidenceFor(
      entry,
      { ...facts, value: work, ideal: Math.round(work * left) },
      { call: name, turns },
    ),
    gain,
  };
});

/** Instructions of the functions that a call reaches, or of its line where it reaches none of the file. */
function workOf(input: RuleInput, { model, kernel }: KernelView, call: SyntaxNode): number {
  const called = calledFunctions(model, kernel, [call]);
  return [call, ...called].reduce((sum, node) => sum + countsOf(input, node).instructions, 0);
}

const scalar = /^(?:float|double|int|unsigned|unsigned int|u?int(?:8|16|32|64)_t|short|unsigned short)$/;

/** Windows that are long enough to gain and short enough for shared memory. */
const [turnsLeast, turnsMost] = [4, 512];

function valuesIn(view: KernelView, loop: CountedLoop): readonly WindowValue[] {
  const { start, bound, comparison, step, body, variable } = loop;
  const [first, end] = [view.scope.value(start), view.scope.value(bound)];
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (first === undefined || end === undefined || !byOne || !/^<=?$/.test(comparison)) return [];
  const turns = end - first + (comparison === "<=" ? 1 : 0);
  if (turns < turnsLeast || turns > turnsMost) return [];
  const { stored } = cudaAccesses(view.kernel);
  return body.descendantsOfType("call_expression").flatMap((call): readonly WindowValue[] => {
    const definition = view.model.root
      .descendantsOfType("function_definition")
      .find((each) => declaredName(each) === fieldText(call, "function"));
    const type = fieldText(definition, "type");
    if (!scalar.test(type) || effectsOf(view, call).acts) return [];
    if (call.descendantsOfType("identifier").some(({ text }) => stored.has(text))) return [];
    const up = placedText(view, call, { turn: variable, place: `(${placeName} + ${first})` });
    const down = placedText(view, call, { turn: variable, place: `(${first + turns - 1} - ${placeName})` });
    const placed = up?.direction === -1 ? down : up;
    return placed === undefined ? [] : [{ call, loop, first, turns, type, placed }];
  });
}

interface Frame {
  /** The statement in front of which all threads of the block stand together. */
  readonly front: SyntaxNode;
  /** The condition for threads with a window of their own, at the first thread: `base` and `end`. */
  readonly guard: { readonly base: string; readonly end: string } | undefined;
}

/** Where the block computes its places, and which of them have a window. */
function frameOf(view: KernelView, { call, loop }: WindowValue): Frame | RuleHold {
  const leaving = loop.body.descendantsOfType(["continue_statement", "break_statement", "return_statement"]);
  const branch = enclosing(
    call,
    "if_statement",
    "conditional_expression",
    "for_statement",
    "while_statement",
  );
  if (leaving.length > 0 || branch?.id !== loop.loop.id)
    return not("dependence", "not every turn computes its place", call);
  const around: SyntaxNode[] = [];
  for (let at = loop.loop.parent; at && isInside(at, view.body) && at.id !== view.body.id; at = at.parent)
    if (at.type !== "compound_statement") around.push(at);
  const outer = around.find(({ type }) => type !== "if_statement");
  if (outer !== undefined) return not("no-rewrite", "the window moves in a loop of the thread", outer);
  const before = view.body.namedChildren.filter(({ endIndex }) => endIndex <= loop.loop.startIndex);
  const exits = before.filter((node) => node.descendantsOfType("return_statement").length > 0);
  const guards = [...exits, ...around];
  const [front, ...others] = guards;
  if (front === undefined) {
    const own = view.body.namedChildren.find((node) => isInside(loop.loop, node));
    return { front: own ?? loop.loop, guard: undefined };
  }
  const guard = guardOf(view, front, exits.length > 0 ? ">=" : "<");
  if (others.length > 0 || guard === undefined)
    return not("dependence", "which threads have a window is not told by an end alone", front);
  return { front, guard };
}

/** `i < n` or, where threads leave, `i >= n`, for the thread's number in the grid. */
function guardOf(view: KernelView, branch: SyntaxNode, operator: string): Frame["guard"] {
  const comparison = branch.type === "if_statement" ? comparisonAlone(branch) : undefined;
  const [left, right] = ["left", "right"].map((side) => comparison?.childForFieldName(side));
  if (!left || !right || fieldText(comparison, "operator") !== operator) return undefined;
  if (formIn(view, left).get("threadIdx.x") !== 1 || formIn(view, right).has("threadIdx.x")) return undefined;
  const [base, end] = [firstThreadText(view, left), firstThreadText(view, right)];
  return base === undefined || end === undefined ? undefined : { base, end };
}

/** The comparison that is all of a branch's condition, where there is no other way. */
function comparisonAlone(branch: SyntaxNode): SyntaxNode | undefined {
  const condition = branch.childForFieldName("condition");
  const [comparison] = condition?.descendantsOfType("binary_expression") ?? [];
  if (condition === null || comparison === undefined || branch.childForFieldName("alternative"))
    return undefined;
  return compact(unwrapped(condition)).replace(/^\(|\)$/g, "") === compact(comparison)
    ? comparison
    : undefined;
}

function edits(
  { source }: KernelView,
  { value, frame, threads }: { readonly value: WindowValue; readonly frame: Frame; readonly threads: number },
) {
  const { call, loop, first, turns, type, placed } = value;
  const name = freshName(source, "windowValues");
  const indent = indentOf(source, frame.front);
  const count = threads + turns - 1;
  const over = turns - 1;
  const { guard } = frame;
  // A place belongs to a window where the first thread that looks at it has one.
  const thread = `(${placeName} < ${over} ? 0 : ${placeName} - ${over})`;
  const condition = guard === undefined ? "" : `if (${guard.base} + ${thread} < ${guard.end}) `;
  const setup = [
    `__shared__ ${type} ${name}[${count}];`,
    `for (int ${placeName} = threadIdx.x; ${placeName} < ${count}; ${placeName} += ${threads})`,
    `  ${condition}${name}[${placeName}] = ${placed.text};`,
    "__syncthreads();",
  ];
  const turn =
    placed.direction === 1 ? `${loop.variable} - (${first})` : `${first + over} - ${loop.variable}`;
  const same = loop.body
    .descendantsOfType("call_expression")
    .filter((each) => compact(each) === compact(call));
  return [
    insertBefore(frame.front, `${setup.join(`\n${indent}`)}\n${indent}`),
    ...same.map((each) => replaceNode(each, `${name}[threadIdx.x + ${turn}]`)),
  ];
}
