import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../rule-table";
import { elementTypeOf } from "../points/point-space";
import { cudaKernel, type KernelView } from "../kernel";

/** An element that every iteration of a loop changes. */
interface Accumulation {
  readonly loop: CountedLoop;
  /** The element wherever the loop names it. */
  readonly uses: readonly SyntaxNode[];
  readonly element: SyntaxNode;
  readonly array: string;
  /** Of the element, as written. */
  readonly type: string;
}

/**
 * Sums in a register instead of an element of global memory: loaded before the loop, stored behind it. Arrays
 * of different parameters are taken not to overlap.
 */
export const accumulateInRegister = defineRule("cuda-accumulate-in-register", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = countedLoops(view.body)
    .filter((loop) => loop.body.descendantsOfType("for_statement").length === 0)
    .flatMap((loop) => accumulationIn(view, loop) ?? []);
  const [first] = found;
  if (first === undefined)
    return not("no-pattern", "no loop adds to an element that stays the same", view.line);
  return isNot(first) ? first : answer(input, entry, { view, first });
});

function answer(
  input: RuleInput,
  entry: RuleEntry,
  { view, first }: { readonly view: KernelView; readonly first: Accumulation },
): RuleAnswer {
  const counts = countsOf(input, first.loop.loop);
  const value = counts.globalStoreRequests;
  if (value === 0) return not("no-evidence", "the loop's stores were not counted", first.element);
  const element = compact(first.element);
  const facts = {
    ...{ file: input.file, line: lineOf(first.element), counter: "globalStoreRequests" as const },
    ...{ value, ideal: 0 },
  };
  const { totals } = input.counters;
  const requests = totals.globalLoadRequests + totals.globalStoreRequests;
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, first)),
    hypothesis: fillSentence(entry.hypothesis, { element }),
    evidence: evidenceFor(entry, facts, { element }),
    gain: gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(2 * value, requests)),
  };
}

/** The one element that the loop adds to; a guard's answer where it is read in another way as well. */
function accumulationIn(view: KernelView, loop: CountedLoop): Accumulation | RuleHold | undefined {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const inside = accesses.filter(({ node }) => isInside(node, loop.body));
  const stores = inside.filter(({ stores: does }) => does);
  const [store] = stores;
  if (store?.indexNode === undefined || !isSteady(loop, store) || !inside.some((each) => adds(each, store)))
    return undefined;
  const element = compact(store.node);
  const same = inside.filter(({ node }) => compact(node) === element);
  const other = stores.find(({ node }) => compact(node) !== element);
  if (other !== undefined)
    return not("dependence", `${compact(other.node)} is stored in the loop as well`, other.node);
  const overlap = [...inside, ...atomics].find(
    (each) =>
      each.parameter === store.parameter && compact(each.node) !== element && isInside(each.node, loop.body),
  );
  if (overlap !== undefined)
    return not("aliasing", `${compact(overlap.node)} may be the same element`, overlap.node);
  const [leaving] = loop.body.descendantsOfType(["return_statement", "goto_statement"]);
  if (leaving !== undefined) return not("dependence", "the loop may leave the kernel", leaving);
  const type = elementTypeOf(view, store.parameter) ?? "auto";
  return { loop, uses: same.map(({ node }) => node), element: store.node, array: store.base, type };
}

/** True where the store's index is the same in every iteration. */
function isSteady({ body, variable }: CountedLoop, { indexNode, base }: CudaAccess): boolean {
  if (indexNode === undefined || !isPure(indexNode)) return false;
  const own = new Set(localValues(body).map(({ name }) => name));
  const names = [base, ...indexNode.descendantsOfType("identifier").map(({ text }) => text)];
  return names.every((name) => name !== variable && !own.has(name) && !isAssigned(body, name));
}

/** `element += …`, or `element = element + …`. */
function adds({ node, loads, stores }: CudaAccess, store: CudaAccess): boolean {
  if (compact(node) !== compact(store.node)) return false;
  const assignment = enclosing(node, "assignment_expression");
  const operator = fieldText(assignment, "operator");
  return stores
    ? operator !== "="
    : loads && compact(assignment?.childForFieldName("left")) === compact(node);
}

function edits(view: KernelView, { loop, uses, element, type }: Accumulation): readonly TextEdit[] {
  const name = freshName(view.source, "partial");
  const indent = indentOf(view.source, loop.loop);
  const braces = loop.loop.parent?.type !== "compound_statement";
  const { endIndex } = loop.loop;
  const close = `\n${indent}${element.text} = ${name};${braces ? " }" : ""}`;
  return [
    insertBefore(loop.loop, `${braces ? "{ " : ""}${type} ${name} = ${element.text};\n${indent}`),
    ...uses.map((use) => replaceNode(use, name)),
    { start: endIndex, end: endIndex, text: close },
  ];
}
