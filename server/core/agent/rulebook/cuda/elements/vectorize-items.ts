import { formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { comparisonOf, statementsOf } from "../../../../language/cuda/body/loops";
import { type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, isInside, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { elementWork, threadsCooperate } from "./element-work";
import { type ItemLoop, itemLoops } from "./item-loops";
import { narrowAccess, vectorPath, workBlanks } from "./vector-path";

/**
 * Lets a thread load and store several neighbouring elements at once where items are dealt out in turn. The
 * last elements, and arrays that do not begin at a multiple of the access, take the scalar path.
 */
export const vectorizeItems = defineRule("cuda-vectorize-items", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loops = itemLoops(view);
  if (loops.length === 0) return not("no-pattern", "no loop deals a fixed number of items", view.line);
  const held = threadsCooperate(view);
  return held ?? loops.map((loop) => inLoop(input, view, { entry, loop }));
});

function inLoop(
  input: RuleInput,
  view: KernelView,
  { entry, loop }: { readonly entry: RuleEntry; readonly loop: ItemLoop },
): RuleAnswer {
  const guarded = guardedItem(loop);
  if (isNot(guarded)) return guarded;
  const { index } = guarded;
  const first = stridedStart(view, loop, index.value);
  if (isNot(first)) return first;
  const work = elementWork(view, { ...guarded, index: index.name });
  if (isNot(work)) return work;
  if (loop.count % work.lanes !== 0)
    return not("limit", `${loop.count} items are no multiple of ${work.lanes}`, loop.bound);
  const narrow = narrowAccess(input, entry, work);
  if (isNot(narrow)) return narrow;
  const tree = editedTree(input, [
    replaceNode(first.thread, `${first.thread.text} * ${work.lanes}`),
    stepBy(loop, work.lanes),
    vectorPath(view, work),
  ]);
  return { kind: "proposal", tree, hypothesis: fillSentence(entry.hypothesis, workBlanks(work)), ...narrow };
}

interface GuardedItem {
  readonly index: LocalValue;
  readonly statements: readonly SyntaxNode[];
  readonly bound: SyntaxNode;
  readonly guard: SyntaxNode;
}

/** A loop's body that is `int i = …; if (i < n) …` and nothing else. */
function guardedItem(loop: ItemLoop): GuardedItem | RuleHold {
  const [declaration, guard, ...rest] = partsOf(loop.body);
  const [index] = declaration === undefined ? [] : localValues(declaration);
  const plain = guard?.type === "if_statement" && guard.childForFieldName("alternative") === null;
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  const compared = condition && index ? comparisonOf(condition, index.name) : undefined;
  if (index === undefined || !plain || compared?.comparison !== "<" || rest.length > 0)
    return not("no-pattern", "the loop is not an index and one guarded statement", loop.loop);
  const statements = statementsOf(guard.childForFieldName("consequence"));
  return { index, statements, bound: compared.bound, guard };
}

function stepBy(loop: ItemLoop, lanes: number): TextEdit {
  return replaceNode(loop.update, `${loop.variable} += ${lanes}`);
}

/**
 * For `first + item * blockDim.x` with `first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x`: the term of
 * the thread, which is to start several elements apart.
 */
function stridedStart(
  view: KernelView,
  loop: ItemLoop,
  index: SyntaxNode,
): { readonly thread: SyntaxNode } | RuleHold {
  const terms = operands(index, "+");
  const step = terms.find((term) =>
    sameForm(formIn(view, term), formFrom({ [product("blockDim.x", loop.variable)]: 1 })),
  );
  const name = terms.find((term) => term !== step);
  const start = startNamed(view, loop, name);
  if (terms.length !== 2 || step === undefined || start === undefined)
    return not("no-pattern", `${compact(index)} does not step from item to item by the block`, index);
  if (usesOf(view.body, start.name).length !== 2)
    return not("dependence", `${start.name} is used for more than the items`, start.declaration);
  const parts = operands(start.value, "+");
  const thread = parts.find((part) => sameForm(formIn(view, part), formFrom({ "threadIdx.x": 1 })));
  const block = parts.find((part) =>
    sameForm(formIn(view, part), formFrom({ "blockDim.x*blockIdx.x": loop.count })),
  );
  return parts.length === 2 && thread !== undefined && block !== undefined
    ? { thread }
    : not("no-pattern", `${start.name} is not where the block's items begin`, start.declaration);
}

function startNamed(view: KernelView, loop: ItemLoop, name: SyntaxNode | undefined): LocalValue | undefined {
  return localValues(view.body).find(
    (local) =>
      local.name === name?.text &&
      local.declaration.endIndex <= loop.loop.startIndex &&
      !isInside(local.declaration, loop.loop),
  );
}

function product(...factors: readonly string[]): string {
  return [...factors].sort().join("*");
}
