import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { constantOf, sameForm } from "../../../../language/cuda/body/forms";
import { compact, enclosing, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { levelOf, type SharedBuffer, sharedBuffers, thread } from "./tree-steps";

/**
 * A loop whose every turn ends in a tree: `a[t] = e; barrier; tree; if (t == 0) sum += a[0]; barrier`.
 */
interface TreeInLoop {
  readonly around: SyntaxNode;
  readonly buffer: SharedBuffer;
  /** `a[t] = e;` */
  readonly store: SyntaxNode;
  readonly value: SyntaxNode;
  /** What goes behind the loop: the first barrier, the tree, the sum of its results and the last barrier. */
  readonly tail: readonly [SyntaxNode, SyntaxNode, SyntaxNode, SyntaxNode];
}

/** Lets each thread sum its own elements over all turns of a loop, and the block once behind it. */
export const treeBehindLoop = defineRule("cuda-tree-behind-loop", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const trees = countedLoops(view.body).filter(({ loop }) => isTree(loop));
  const tree = trees.find(({ loop }) => enclosing(loop, "for_statement") !== undefined);
  if (tree === undefined) return not("no-pattern", "no tree stands in a loop", view.line);
  const counts = countsOf(input, enclosing(tree.loop, "for_statement") ?? tree.loop);
  const inside = countsOf(input, tree.loop);
  const gain = gainOn(
    input,
    ["issue", "shared", "latency"],
    shareSaved(inside.instructions, input.counters.totals.instructions),
  );
  if (counts.barriers === 0) return not("no-evidence", "no barrier was counted in the loop", tree.loop);
  const found = treeInLoop(view, tree);
  if (isNot(found)) return { ...found, gain };
  const facts = {
    ...{ file: input.file, line: lineOf(tree.loop), counter: "barriers" as const },
    ...{ value: counts.barriers, ideal: 0 },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, found)),
    hypothesis: fillSentence(entry.hypothesis, { array: found.buffer.name }),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

/** True for a loop that holds a step under a condition and a barrier, and nothing else. */
function isTree(loop: SyntaxNode): boolean {
  const counted = countedLoops(loop).find((each) => each.loop.id === loop.id);
  const halving = counted !== undefined && /^[/*<>]/.test(counted.step.operator);
  return halving && !isNot(levelOf(counted));
}

function treeInLoop(view: KernelView, { loop: tree }: CountedLoop): TreeInLoop | RuleHold {
  const around = enclosing(tree, "for_statement") ?? tree;
  const all = statementsOf(around.childForFieldName("body"));
  const place = all.findIndex(({ id }) => id === tree.id);
  const [store, first] = [all[place - 2], all[place - 1]];
  const [result, last, ...more] = all.slice(place + 1);
  const isBarrier = (node: SyntaxNode | undefined): node is SyntaxNode =>
    compact(node) === "__syncthreads();";
  if (store === undefined || !isBarrier(first) || result === undefined || !isBarrier(last) || more.length > 0)
    return not("no-pattern", "a turn is more than a store, a tree and the sum of its results", tree);
  const buffer = sharedBuffers(view).find(({ name }) => name === elementOf(store)?.name);
  const assignment = store.namedChildren[0];
  const value = assignment?.childForFieldName("right");
  const index = elementOf(store)?.index;
  if (buffer === undefined || !value || index === undefined || !sameForm(formIn(view, index), thread))
    return not("no-pattern", "the threads store no element each before the tree", store);
  const held =
    notSummed(view, { buffer, tree, result }) ?? usedBeside(around, { buffer, parts: [store, tree, result] });
  return held ?? { around, buffer, store, value, tail: [first, tree, result, last] };
}

/** The element of `a[index] = e;`. */
function elementOf(
  statement: SyntaxNode,
): { readonly name: string; readonly index: SyntaxNode | undefined } | undefined {
  const assignment = statement.namedChildren[0];
  const left = assignment?.childForFieldName("left");
  if (!left || fieldText(assignment, "operator") !== "=") return undefined;
  return { name: fieldText(left, "argument"), index: subscriptIndex(left) };
}

interface Summed {
  readonly buffer: SharedBuffer;
  readonly tree: SyntaxNode;
  readonly result: SyntaxNode;
}

/** A guard's answer unless the tree sums, and one thread adds its first element to a variable. */
function notSummed(view: KernelView, { buffer, tree, result }: Summed): RuleHold | undefined {
  const steps = tree.descendantsOfType("assignment_expression").filter((act) => isStepOf(act, buffer));
  const alone = result.type === "if_statement" && result.childForFieldName("alternative") === null;
  const [add, ...more] = statementsOf(result.childForFieldName("consequence"));
  const adds = add !== undefined && more.length === 0 && addsFirst(view, buffer, add);
  return steps.length === 1 && alone && adds
    ? undefined
    : not("no-pattern", "a turn does not add the sum of the tree to a variable", result);
}

/** `sum += a[0];` */
function addsFirst(view: KernelView, { name }: SharedBuffer, statement: SyntaxNode): boolean {
  const act = statement.namedChildren[0];
  const read = act?.childForFieldName("right");
  const index = read ? subscriptIndex(read) : undefined;
  const isFirst = index !== undefined && constantOf(formIn(view, index)) === 0;
  const adds = fieldText(act, "operator") === "+=" && act?.childForFieldName("left")?.type === "identifier";
  return adds && isFirst && fieldText(read, "argument") === name;
}

/** `a[i] += a[j]`. */
function isStepOf(act: SyntaxNode, { name }: SharedBuffer): boolean {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  const named = [left, right].every((side) => fieldText(side, "argument") === name);
  return named && fieldText(act, "operator") === "+=";
}

/** Another use of the buffer, another barrier, or a way out of the loop. */
function usedBeside(
  around: SyntaxNode,
  { buffer, parts }: { readonly buffer: SharedBuffer; readonly parts: readonly SyntaxNode[] },
): RuleHold | undefined {
  const use = usesOf(around, buffer.name).find((each) => !parts.some((part) => isInside(each, part)));
  if (use !== undefined) return not("dependence", `${buffer.name} is used for more than the tree`, use);
  const waits = usesOf(around, "__syncthreads").length;
  const [way] = around.descendantsOfType(["break_statement", "continue_statement", "return_statement"]);
  if (way !== undefined || waits !== 3)
    return not("dependence", "a turn may end early or waits once more", around);
  return undefined;
}

function edits(view: KernelView, { around, buffer, store, value, tail }: TreeInLoop): readonly TextEdit[] {
  const { source } = view;
  const own = freshName(source, `${buffer.name}Own`);
  const indent = indentOf(source, around);
  const inner = indentOf(source, store);
  const moved = tail.map((node) => node.text.replaceAll(`\n${inner}`, `\n${indent}`));
  const behind = [`${buffer.name}[threadIdx.x] = ${own};`, ...moved];
  const last = tail[3];
  return [
    insertBefore(around, `${buffer.type} ${own} = 0;\n${indent}`),
    replaceNode(store, `${own} += ${value.text};`),
    { start: store.endIndex, end: last.endIndex, text: "" },
    { start: around.endIndex, end: around.endIndex, text: `\n${indent}${behind.join(`\n${indent}`)}` },
  ];
}
