import { type CudaAccess, cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { arraysOf, type KernelArray } from "../../../../../language/cuda/body/arrays";
import { formText } from "../../../../../language/cuda/body/forms";
import { compact, lineOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../../edits";
import { countsOf, evidenceFor, gainOn } from "../../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../../kernel";
import { blockShape } from "../../launch/block-shape";
import { lateBarriers } from "./late-barriers";
import { turnBarriers } from "./turn-barriers";

/**
 * Drops barriers at which no thread waits for what another one does: those of a kernel whose threads touch
 * their own shared elements alone, which are locals then, those behind which nothing is shared any more, and
 * those in each turn of a loop that only reads what is shared.
 */
export const dropBarriers = defineRule("cuda-drop-barriers", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const own = ofPrivateElements(input, entry, view);
  if (own.kind === "proposal") return own;
  const late = lateBarriers(view);
  const { barriers, instead } = late.length === 0 ? turnBarriers(view) : { barriers: late, instead: [] };
  return barriers.length === 0 ? own : dropped(input, entry, { view, barriers, instead });
});

function ofPrivateElements(input: RuleInput, entry: RuleEntry, view: KernelView): RuleAnswer {
  const value = input.counters.totals.barriers;
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const [first] = shared;
  if (first === undefined || shared.some(({ escape }) => escape !== undefined))
    return not("no-pattern", "no shared array is private to its threads", view.line);
  const sizes = blockShape(input, view);
  const axes = isNot(sizes) ? ["x"] : axesOf(sizes.sizes);
  const other = shared.flatMap((array) => othersElement(view, array, axes) ?? [])[0];
  if (other !== undefined) return not("no-pattern", `${compact(other)} is another thread's element`, other);
  const gain = gainOn(input, ["shared", "issue", "latency"], threshold(entry, "share"));
  if (isNot(sizes)) return { ...sizes, gain };
  const handed = handedOver(view, axes);
  if (handed !== undefined) return { ...handed, gain };
  const barriers = view.body
    .descendantsOfType("expression_statement")
    .filter((statement) => compact(statement) === "__syncthreads();");
  const [barrier] = barriers;
  if (barrier === undefined)
    return { ...not("no-rewrite", "the barriers stand in a function", first.declaration), gain };
  const facts = {
    ...{ file: input.file, line: lineOf(barrier), counter: "barriers" as const },
    ...{ value, ideal: 0 },
  };
  const dropped = barriers.map((statement) =>
    replaceNode(statement, statement.parent?.type === "compound_statement" ? "" : ";"),
  );
  return {
    kind: "proposal",
    tree: editedTree(input, [...dropped, ...shared.flatMap((array) => asLocal(view, array))]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
}

interface Needless {
  readonly view: KernelView;
  readonly barriers: readonly SyntaxNode[];
  /** Barriers elsewhere that take their place. */
  readonly instead: readonly TextEdit[];
}

/** Without the barriers behind which no thread leaves anything for another one. */
function dropped(input: RuleInput, entry: RuleEntry, { view, barriers, instead }: Needless): RuleAnswer {
  const lines = barriers.map((node) => ({ node, value: countsOf(input, node).barriers }));
  const value = lines.reduce((sum, line) => sum + line.value, 0);
  const [worst] = lines.sort((a, b) => b.value - a.value);
  const all = input.counters.totals.barriers;
  if (worst === undefined || value === 0 || value < threshold(entry, "lateLeast") * all)
    return not("no-evidence", "few barriers are behind what the threads leave for each other", view.line);
  const gain = gainOn(input, ["shared", "issue", "latency"], threshold(entry, "share"));
  const sizes = blockShape(input, view);
  const handed = handedOver(view, isNot(sizes) ? ["x"] : axesOf(sizes.sizes));
  if (handed !== undefined) return { ...handed, gain };
  const facts = { file: input.file, line: lineOf(worst.node), counter: "barriers" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [
      ...barriers.map((node) => replaceNode(node, node.parent?.type === "compound_statement" ? "" : ";")),
      ...instead,
    ]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value: all, ideal: all - value }),
    gain,
  };
}

/** The axes along which a block has more than one thread; x at least. */
function axesOf([, y, z]: readonly [number, number, number]): readonly string[] {
  return ["x", ...(y > 1 ? ["y"] : []), ...(z > 1 ? ["z"] : [])];
}

/** An access that is not at the thread's own place, the same along each of the block's axes. */
function othersElement(
  view: KernelView,
  { accesses }: KernelArray,
  axes: readonly string[],
): SyntaxNode | undefined {
  const places = accesses.map(({ node, indices }) => ({
    node,
    own: indices.map((index) => formText(formIn(view, index))),
  }));
  const [first] = places;
  const wanted = axes.map((axis) => `threadIdx.${axis}`);
  return places.find(
    ({ own }) => own.join() !== first?.own.join() || [...own].sort().join() !== wanted.join(),
  )?.node;
}

/** An array of global memory by which threads may tell each other something: it is stored to and loaded. */
function handedOver(view: KernelView, axes: readonly string[]): RuleHold | undefined {
  const { accesses, atomics, loaded, stored } = cudaAccesses(view.kernel);
  for (const name of stored) {
    if (!loaded.has(name)) continue;
    const own = [...accesses, ...atomics].filter(({ parameter }) => parameter === name);
    const [first] = own;
    const other = own.find((each) => {
      const place = placeOf(view, each, axes);
      return place === undefined || (first && place !== placeOf(view, first, axes));
    });
    if (other !== undefined)
      return not("dependence", `${name} is stored to, and another thread may load it`, other.node);
  }
  return undefined;
}

/** The element as text; undefined where it is not the thread's alone. */
function placeOf(
  view: KernelView,
  { indexNode, base }: CudaAccess,
  axes: readonly string[],
): string | undefined {
  if (indexNode === undefined) return undefined;
  const form = formIn(view, indexNode);
  return axes.every((axis) => form.has(`threadIdx.${axis}`)) ? `${base}[${formText(form)}]` : undefined;
}

/** `__shared__ float own[256];` as `float own;`, where the array lives as long as a local would. */
function asLocal({ body }: KernelView, array: KernelArray): readonly TextEdit[] {
  const { declaration, storage, name, accesses } = array;
  const alone = declaration.childrenForFieldName("declarator").length === 1;
  if (storage === "local" || !alone || declaration.parent?.id !== body.id) return [];
  return [
    replaceNode(declaration, `${array.type} ${name};`),
    ...accesses.map(({ node }) => replaceNode(node, name)),
  ];
}
