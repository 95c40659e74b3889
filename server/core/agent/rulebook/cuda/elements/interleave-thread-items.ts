import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { isAssigned, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf, operands, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { threadsCooperate } from "./element-work";
import { runOf } from "./runs";
import { isGlobalThreadIndex, type ItemLoop, itemLoops, sumsOf } from "./item-loops";

/**
 * Deals the items of a block out to its threads in turn instead of in runs, so that neighbouring lanes touch
 * neighbouring addresses. The block covers the same elements; which thread handles one must not matter, so
 * only element-wise loops are taken.
 */
export const interleaveThreadItems = defineRule("cuda-interleave-thread-items", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loops = itemLoops(view);
  if (loops.length === 0) return overRuns(input, view, entry);
  return threadsCooperate(view) ?? loops.map((loop) => inLoop(input, view, { entry, loop }));
});

/** The same of a loop over a run whose last elements may be missing. */
function overRuns(input: RuleInput, view: KernelView, entry: RuleEntry): RuleAnswer {
  const block = rowOfThreads(input, view);
  const run = runOf(view, isNot(block) ? undefined : block.sizes[0]);
  if (run === undefined) return not("no-pattern", "no loop handles a fixed number of items", view.line);
  if (isNot(run)) return run;
  const held = threadsCooperate(view);
  if (held !== undefined) return held;
  const seen = wasteIn(input, entry, run.loop.loop);
  return isNot(seen)
    ? seen
    : {
        kind: "proposal",
        tree: editedTree(input, run.edits),
        hypothesis: fillSentence(entry.hypothesis, { items: run.length }),
        ...seen,
      };
}

/** What the loop moves beyond what it needs. */
function wasteIn(
  input: RuleInput,
  entry: RuleEntry,
  loop: SyntaxNode,
): Pick<RuleProposal, "evidence" | "gain"> | RuleHold {
  const counts = countsOf(input, loop);
  const value = counts.globalLoadSectors + counts.globalStoreSectors;
  const ideal = counts.globalLoadSectorsIdeal + counts.globalStoreSectorsIdeal;
  if (wasteOf(value, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", `the loop moves ${value} sectors where ${ideal} would do`, loop);
  const { totals } = input.counters;
  return {
    evidence: evidenceFor(entry, { file: input.file, ...worstAccess(input, loop) }),
    gain: gainOn(
      input,
      ["dram", "l2"],
      shareSaved(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors),
    ),
  };
}

function inLoop(
  input: RuleInput,
  view: KernelView,
  { entry, loop }: { readonly entry: RuleEntry; readonly loop: ItemLoop },
): RuleAnswer {
  const start = blockedStart(input, view, loop);
  if (isNot(start)) return start;
  const found = sumsOf(loop, start.name);
  if ("other" in found)
    return not("dependence", `${found.other.text} is used for more than the item's index`, found.other);
  const { sums } = found;
  if (sums.length === 0) return not("no-pattern", `no item is counted from ${start.name}`, loop.loop);
  const held = notElementWise(view, loop, sums) ?? conditional(view, loop);
  if (held !== undefined) return held;
  const outside = usesOf(view.body, start.name).find(
    (use) => !isInside(use, loop.body) && !isInside(use, start.declaration),
  );
  if (outside !== undefined)
    return not("dependence", `${start.name} is used outside of the loop as well`, outside);
  const seen = wasteIn(input, entry, loop.body);
  if (isNot(seen)) return seen;
  const edits = [
    replaceNode(start.value, `blockIdx.x * blockDim.x * ${loop.bound.text} + threadIdx.x`),
    ...sums.map((sum) => replaceNode(sum, `${start.name} + ${loop.variable} * blockDim.x`)),
  ];
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { items: loop.count }),
    ...seen,
  };
}

/** The variable that holds where the thread's run of items begins. */
function blockedStart(input: RuleInput, view: KernelView, loop: ItemLoop): LocalValue | RuleHold {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const start = localValues(view.body).find(
    ({ name, value, declaration }) =>
      isGlobalThreadIndex(formIn(view, value), threads, loop.count) &&
      declaration.endIndex <= loop.loop.startIndex &&
      !isAssigned(view.body, name),
  );
  return start ?? not("no-pattern", "no variable is where a thread's run of items begins", loop.loop);
}

/** The items are dealt to other threads, so each of them has to come this way. */
function conditional(view: KernelView, loop: ItemLoop): RuleHold | undefined {
  const around = enclosing(loop.loop, "if_statement", "for_statement", "while_statement", "do_statement");
  if (around !== undefined) return not("dependence", "not every thread reaches the loop", around);
  const exit = view.body
    .descendantsOfType("return_statement")
    .find((node) => node.startIndex < loop.loop.startIndex);
  return exit && not("dependence", "a thread may return before the loop", exit);
}

/**
 * The line inside the loop that wastes most sectors, by its loads, or by its stores when it loads nothing.
 */
function worstAccess(input: RuleInput, body: SyntaxNode) {
  const inside = input.counters.lines.filter(
    (at) => at.file === input.file && at.line > body.startPosition.row && at.line <= body.endPosition.row + 1,
  );
  const rows = inside.flatMap((at) => [
    {
      line: at.line,
      counter: "globalLoadSectors" as const,
      value: at.globalLoadSectors,
      ideal: at.globalLoadSectorsIdeal,
    },
    {
      line: at.line,
      counter: "globalStoreSectors" as const,
      value: at.globalStoreSectors,
      ideal: at.globalStoreSectorsIdeal,
    },
  ]);
  const [worst] = rows.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  return worst ?? { line: lineOf(body), counter: "globalLoadSectors" as const, value: 0, ideal: 0 };
}

/**
 * A guard's answer unless each item stands alone: only array elements and variables of the iteration are
 * written, and an array that is written is read at the same index only.
 */
function notElementWise(view: KernelView, loop: ItemLoop, sums: readonly SyntaxNode[]): RuleHold | undefined {
  const [exit] = loop.body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (exit !== undefined) return not("dependence", "the loop may end early", exit);
  const isSum = (node: SyntaxNode): boolean => sums.some((sum) => sum.id === node.id);
  const locals = localValues(loop.body);
  const own = new Set(locals.map((local) => local.name));
  const elements = new Set(locals.filter((local) => isSum(local.value)).map((local) => local.name));
  const isItem = (index: SyntaxNode): boolean => isSum(index) || elements.has(index.text);
  const moving = new Set([...locals.map(({ name }) => name), loop.variable, "threadIdx"]);
  const isFixed = (term: SyntaxNode): boolean =>
    term
      .descendantsOfType("identifier")
      .every(({ text }) => !moving.has(text) && !isAssigned(view.body, text));
  const isElement = (index: SyntaxNode): boolean => {
    const others = operands(index, "+").filter((term) => !isItem(term));
    return isItem(index) || (others.length === operands(index, "+").length - 1 && others.every(isFixed));
  };
  const written = new Map<string, string>();
  for (const act of loop.body.descendantsOfType(["assignment_expression", "update_expression"])) {
    const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
    if (target?.type === "identifier" && own.has(target.text) && !elements.has(target.text)) continue;
    const index = target === null ? undefined : subscriptIndex(target);
    const array = target?.childForFieldName("argument");
    if (index === undefined || array?.type !== "identifier" || !isElement(index))
      return not("dependence", `${compact(target)} is carried from one item to the next`, act);
    written.set(array.text, compact(index));
  }
  return readElsewhere(view, written);
}

/** A use of a written array other than at the item's own index. */
function readElsewhere(view: KernelView, written: ReadonlyMap<string, string>): RuleHold | undefined {
  for (const [array, index] of written) {
    const other = usesOf(view.body, array).find((use) => {
      const at = use.parent === null ? undefined : subscriptIndex(use.parent);
      return at === undefined || compact(at) !== index;
    });
    if (other !== undefined)
      return not("dependence", `${array} is used other than at the item's own index`, other);
  }
  return undefined;
}
