import { coefficient, formOf } from "../../../../language/cuda/body/forms";
import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { enclosing, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { readsApart } from "./constant-reads";
import { otherOrder } from "./flat-order";
import { isLoaded, loadedNames } from "./loaded-names";

/** How the elements of a warp's lanes lie to each other where they share few sectors. */
type Layout = "structures" | "transposed" | "columns" | "walks" | "gathered";

/** Access to members or elements of structures that lie side by side: named, not rewritten yet. */
export const splitStructures = layoutRule("cuda-split-structures", "structures", (view) =>
  not("no-rewrite", "structures stay as they are", view.line),
);
/** Loads and stores that both walk down columns: the number of the thread is taken apart the other way. */
export const walkAlongRows = layoutRule("cuda-walk-along-rows", "columns", otherOrder);

type Rewrite = (view: KernelView) => readonly TextEdit[] | RuleHold;

function layoutRule(id: string, wanted: Layout, rewrite: Rewrite) {
  return defineRule(id, (input, entry) => {
    const view = cudaKernel(input);
    return isNot(view) ? view : answerOf(input, entry, { view, wanted, rewrite });
  });
}

function answerOf(
  input: RuleInput,
  entry: RuleEntry,
  {
    view,
    wanted,
    rewrite,
  }: { readonly view: KernelView; readonly wanted: Layout; readonly rewrite: Rewrite },
): RuleAnswer {
  const { loads, stores, worst } = spread(input, view);
  const least = threshold(entry, "ratio");
  if (worst === undefined || Math.max(loads.ratio, stores.ratio) < least)
    return not("no-evidence", "no line moves many more sectors than it needs", view.line);
  if (layoutOf(view, { worst, loads, stores, least }) !== wanted)
    return not("no-pattern", "the elements of a warp lie in another way", worst.node);
  const wasted = Math.max(0, loads.value - loads.ideal) + Math.max(0, stores.value - stores.ideal);
  const blanks = {
    line: lineOf(worst.node),
    value: loads.value + stores.value,
    ideal: loads.ideal + stores.ideal,
  };
  const saved = shareSaved(wasted, loads.value + stores.value);
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], saved);
  const edits = rewrite(view);
  if (isNot(edits)) return { ...not("no-rewrite", fillSentence(entry.sentence, blanks), worst.node), gain };
  const counter = stores.ratio > loads.ratio ? "globalStoreSectors" : "globalLoadSectors";
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { file: input.file, counter, ...blanks }),
    gain,
  };
}

interface Side {
  readonly value: number;
  readonly ideal: number;
  readonly ratio: number;
}

interface Spread {
  readonly loads: Side;
  readonly stores: Side;
  readonly worst: CudaAccess | undefined;
}

/**
 * Sectors of loads and stores of the lines with accesses, and the access of the worst line. Lines that read
 * constant memory here and there are left out: what they move is no matter of how arrays lie.
 */
export function spread(input: RuleInput, view: KernelView): Spread {
  const apart = new Set(readsApart(view).map(lineOf));
  const accesses = cudaAccesses(view.kernel).accesses.filter(({ node }) => !apart.has(lineOf(node)));
  const rows = accesses.map((access) => ({
    access,
    line: lineOf(access.node),
    counts: countsOf(input, enclosing(access.node, "expression_statement", "declaration") ?? access.node),
  }));
  const lines = [...new Map(rows.map((row) => [row.line, row])).values()];
  const side = (value: "globalLoadSectors" | "globalStoreSectors"): Side => {
    const all = lines.reduce((total, { counts }) => total + counts[value], 0);
    const ideal = lines.reduce((total, { counts }) => total + counts[`${value}Ideal`], 0);
    return { value: all, ideal, ratio: wasteOf(all, ideal) };
  };
  const waste = ({ counts }: (typeof rows)[number]): number =>
    counts.globalLoadSectors +
    counts.globalStoreSectors -
    counts.globalLoadSectorsIdeal -
    counts.globalStoreSectorsIdeal;
  const [worst] = [...rows].sort((a, b) => waste(b) - waste(a));
  return { loads: side("globalLoadSectors"), stores: side("globalStoreSectors"), worst: worst?.access };
}

export function layoutOf(
  view: KernelView,
  {
    worst,
    loads,
    stores,
    least,
  }: Omit<Spread, "worst"> & { readonly worst: CudaAccess; readonly least: number },
): Layout {
  if (isMember(worst.node) || hasConstantStride(view, worst)) return "structures";
  const oneSide = loads.ratio >= least !== stores.ratio >= least && loads.value > 0 && stores.value > 0;
  if (!oneSide) return "columns";
  if (isGathered(view, worst)) return "gathered";
  return sumsUp(view, worst) ? "walks" : "transposed";
}

/**
 * True where the lanes find an element on the line by numbers out of memory alone: where such elements lie,
 * no order of the threads says.
 */
function isGathered(view: KernelView, { node }: CudaAccess): boolean {
  const loaded = loadedNames(view.body);
  const varies = variesWithThread(view.model, view.body, "x");
  return cudaAccesses(view.kernel).accesses.some((access) => {
    const { indexNode } = access;
    if (indexNode === undefined || lineOf(access.node) !== lineOf(node)) return false;
    const beside = [...formOf(indexNode, view.scope).keys()].some((key) =>
      key.split("*").includes("threadIdx.x"),
    );
    return !beside && varies(indexNode) && isLoaded(indexNode, loaded);
  });
}

/** An access in a loop that stores nothing: what it loads is made into something else before it is stored. */
function sumsUp(view: KernelView, { node }: CudaAccess): boolean {
  const loop = enclosing(node, "for_statement", "while_statement", "do_statement");
  const stores = cudaAccesses(view.kernel).accesses.filter((access) => access.stores);
  return loop !== undefined && !stores.some((store) => isInside(store.node, loop));
}

function isMember(node: SyntaxNode): boolean {
  return node.parent?.type === "field_expression";
}

/** `3 * i + 1` with the thread's own number in `i`. */
function hasConstantStride(view: KernelView, { indexNode }: CudaAccess): boolean {
  if (indexNode === undefined) return false;
  const form = formOf(indexNode, view.scope);
  const own = coefficient(form, "threadIdx.x");
  return own > 1 && own <= 16;
}
