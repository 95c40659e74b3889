import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { arraysOf } from "../../../../language/cuda/body/arrays";
import type { Form } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { enclosing, fieldText, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { isGlobalThreadIndex, loopReach } from "../elements/item-loops";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { combinations, isCombining } from "./shared-sum";

/** Adds plainly where no other thread touches the counter: `atomicAdd(&bins[b][t], x)` of thread `t`. */
export const ownAtomics = defineRule("cuda-own-atomics", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const [width] = block.sizes;
  const found = [...ownInShared(view, width), ...ownInGlobal(view, width)];
  return found.length === 0
    ? not("no-pattern", "no atomic changes an element that belongs to one thread", view.line)
    : plain(input, entry, { view, calls: found });
});

interface Own {
  readonly view: KernelView;
  /** Atomics whose element no other thread touches. */
  readonly calls: readonly SyntaxNode[];
}

function plain(input: RuleInput, entry: RuleEntry, { calls }: Own): RuleAnswer {
  const passes = (call: SyntaxNode): number => {
    const { sharedAtomicPasses, globalAtomicPasses } = countsOf(input, call);
    return sharedAtomicPasses + globalAtomicPasses;
  };
  const [worst] = [...calls].sort((a, b) => passes(b) - passes(a));
  const value = calls.reduce((sum, call) => sum + passes(call), 0);
  if (worst === undefined || value === 0) return not("no-evidence", "the atomics are not reached", 1);
  const { totals } = input.counters;
  const share = shareSaved(value, totals.sharedAtomicPasses + totals.globalAtomicPasses);
  const isShared = countsOf(input, worst).sharedAtomicPasses > 0;
  const edits = calls.flatMap((call) => {
    const [address, part] = partsOf(call.childForFieldName("arguments"));
    const element = address && elementOf(address);
    const name = fieldText(call, "function");
    return element !== undefined && part !== undefined && isCombining(name) && call.parent !== null
      ? [replaceNode(call.parent, combinations[name](element, part.text))]
      : [];
  });
  const facts = {
    ...{ file: input.file, line: lineOf(worst), value, ideal: 0 },
    counter: isShared ? ("sharedAtomicPasses" as const) : ("globalAtomicPasses" as const),
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { line: lineOf(worst) }),
    evidence: evidenceFor(entry, facts),
    gain: gainOn(input, ["atomics", "latency", "shared", "issue"], share * threshold(entry, "share")),
  };
}

/** `x[i]` of `&x[i]` and of `x + i`. */
function elementOf(address: SyntaxNode): string | undefined {
  const inner = address.type === "pointer_expression" ? address.childForFieldName("argument") : null;
  if (inner?.type === "subscript_expression") return inner.text;
  const [left, right] = [address.childForFieldName("left"), address.childForFieldName("right")];
  const isSum = address.type === "binary_expression" && fieldText(address, "operator") === "+";
  return isSum && left?.type === "identifier" && right !== null ? `${left.text}[${right.text}]` : undefined;
}

/** `atomicAdd(…);` whose old value nobody wants. */
function isAlone(call: SyntaxNode | undefined): call is SyntaxNode {
  const name = fieldText(call, "function");
  return isCombining(name) && call?.parent?.type === "expression_statement";
}

/** Atomics on shared arrays of which each thread has a column between two barriers. */
function ownInShared(view: KernelView, width: number): readonly SyntaxNode[] {
  const parts = phases(view);
  return arraysOf(view.body).flatMap(({ name, storage, accesses, declaration }) => {
    if (storage === "local") return [];
    const uses = usesOf(view.body, name).filter((use) => !isInside(use, declaration));
    if (uses.some((use) => !accesses.some(({ node }) => isInside(use, node)))) return [];
    const isOwn = (indices: readonly SyntaxNode[]): boolean =>
      indices.some((index) => isThread(formIn(view, index))) ||
      isColumn(view, indices.at(-1), { width, alone: indices.length === 1 });
    const calls = accesses.flatMap(({ node }) => {
      const address = node.parent;
      const call = address?.type === "pointer_expression" ? address.parent?.parent : undefined;
      return call?.type === "call_expression" ? [{ node, call }] : [];
    });
    return calls
      .filter(({ node, call }) => {
        const part = parts.find((each) => isWithin(node, each));
        const near = accesses.filter((access) => part !== undefined && isWithin(access.node, part));
        return part !== undefined && isAlone(call) && near.every(({ indices }) => isOwn(indices));
      })
      .map(({ call }) => call);
  });
}

type Stretch = Pick<SyntaxNode, "startIndex" | "endIndex">;

function isWithin(node: Stretch, { startIndex, endIndex }: Stretch): boolean {
  return node.startIndex >= startIndex && node.endIndex <= endIndex;
}

/** The statements between two barriers of the body itself, each as a stretch of the source. */
function phases({ body }: KernelView): readonly Stretch[] {
  const stretches: { startIndex: number; endIndex: number }[] = [];
  for (const statement of partsOf(body)) {
    const last = stretches.at(-1);
    const isBarrier = /^__syncthreads\(\);$/.test(statement.text.replace(/\s/g, ""));
    if (isBarrier || last === undefined)
      stretches.push({ startIndex: statement.startIndex, endIndex: statement.endIndex });
    else last.endIndex = statement.endIndex;
  }
  return stretches;
}

/** True for the thread's own number and nothing else. */
function isThread(form: Form): boolean {
  return form.size === 1 && form.get("threadIdx.x") === 1;
}

/** True for `bin * 128 + t` of a block of 128 threads. */
function isColumn(
  view: KernelView,
  index: SyntaxNode | undefined,
  { width, alone }: { readonly width: number; readonly alone: boolean },
): boolean {
  if (index === undefined || !alone) return false;
  const form = formIn(view, index);
  const others = [...form.entries()].filter(([name]) => name !== "threadIdx.x");
  return (
    form.get("threadIdx.x") === 1 &&
    others.every(
      ([name, count]) => count % width === 0 || (name !== "" && name.split("*").includes("blockDim.x")),
    )
  );
}

/** Atomics on arrays of the grid of which each thread touches its own element alone. */
function ownInGlobal(view: KernelView, width: number): readonly SyntaxNode[] {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  if (/\b(?:block|grid)(?:Idx|Dim)\s*\.\s*[yz]\b/.test(view.body.text)) return [];
  const isOwn = ({ node, base, parameter, indexNode }: CudaAccess): boolean => {
    if (base !== parameter) return false;
    const index = indexNode ?? indexOf(partsOf(node.childForFieldName("arguments"))[0]);
    return index !== undefined && isOwnNumber(view, index, width);
  };
  const arrays = new Set(atomics.map(({ parameter }) => parameter));
  const own = [...arrays].filter((array) => {
    const all = [...accesses, ...atomics].filter(({ parameter }) => parameter === array);
    const known = usesOf(view.body, array).every((use) => all.some(({ node }) => isInside(use, node)));
    return known && all.every((access) => isOwn(access) || isAddress(access, atomics));
  });
  return atomics
    .filter(({ node, parameter }) => own.includes(parameter) && isAlone(node))
    .map(({ node }) => node);
}

/** True for the element that an atomic is handed: it is looked at with the atomic. */
function isAddress({ node }: CudaAccess, atomics: readonly CudaAccess[]): boolean {
  return atomics.some((atomic) => atomic.node.id !== node.id && isInside(node, atomic.node));
}

function indexOf(address: SyntaxNode | undefined): SyntaxNode | undefined {
  if (address === undefined) return undefined;
  const inner = address.type === "pointer_expression" ? address.childForFieldName("argument") : null;
  if (inner?.type === "subscript_expression") return partsOf(inner.childForFieldName("indices"))[0];
  const isSum = address.type === "binary_expression" && fieldText(address, "operator") === "+";
  return isSum ? (address.childForFieldName("right") ?? undefined) : undefined;
}

/** True for the thread's number in the grid, or the element of a walk over it. */
function isOwnNumber(view: KernelView, index: SyntaxNode, width: number): boolean {
  const form = formIn(view, index);
  if (isGlobalThreadIndex(form, width)) return true;
  const loop = enclosing(index, "for_statement");
  return countedLoops(view.body).some(
    (counted) =>
      isInside(index, counted.body) &&
      loop !== undefined &&
      form.size === 1 &&
      form.get(counted.variable) === 1 &&
      loopReach(view, counted, width) === "grid",
  );
}
