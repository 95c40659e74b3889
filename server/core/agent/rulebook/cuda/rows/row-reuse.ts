import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleEvidence, type RuleHold, type RuleInput } from "../../rule";
import { type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView, elementBytes } from "../kernel";
import { blockShape, rowOfThreads } from "../launch/block-shape";
import { passedNumber } from "../launch/passed-argument";
import { type RowWalks, rowWalks, type Walkers } from "./row-walks";

/** A row that a block loads more than once, with what that costs. */
export interface RowReuse {
  readonly row: RowWalks;
  /** Bytes of an element. */
  readonly bytes: number;
  /** Elements of the longest row on the visible shapes. */
  readonly longest: number;
  readonly evidence: RuleEvidence;
  readonly gain: number;
}

interface Asked {
  /** Whose walks the rule rewrites. */
  readonly of: Walkers["of"];
  readonly rewrite: (view: KernelView, reuse: RowReuse) => RuleAnswer;
}

/** Asks a rule about each row whose later walks make up at least the rule's share of all sectors loaded. */
export function forReusedRows(
  input: RuleInput,
  entry: RuleEntry,
  { of, rewrite }: Asked,
): RuleAnswer | readonly RuleAnswer[] {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = of === "block" ? rowOfThreads(input, view) : blockShape(input, view);
  if (isNot(block)) return block;
  return rowWalks(view, { of, sizes: block.sizes }).map((row) => {
    const reuse = isNot(row) ? row : reuseOf(input, entry, { view, row });
    return isNot(reuse) ? reuse : rewrite(view, reuse);
  });
}

function reuseOf(
  input: RuleInput,
  entry: RuleEntry,
  { view, row }: { readonly view: KernelView; readonly row: RowWalks },
): RowReuse | RuleHold {
  const bytes = elementBytes(view, row.elementType);
  if (bytes === undefined) return not("type", `the size of ${row.elementType} is not known`, row.end);
  const longest = longestRow(input, view, row.end);
  if (isNot(longest)) return longest;
  const { totals } = input.counters;
  const again = row.walks.slice(1).map(({ loop, reads }) => ({
    line: lineOf(reads[0] ?? loop.loop),
    sectors: countsOf(input, loop.loop).globalLoadSectors,
  }));
  const saved = again.reduce((sum, { sectors }) => sum + sectors, 0);
  const [worst] = [...again].sort((a, b) => b.sectors - a.sectors);
  const share = shareSaved(saved, totals.globalLoadSectors);
  if (worst === undefined || saved === 0 || share < threshold(entry, "shareLeast"))
    return not("no-evidence", `the later walks over ${row.array} load few sectors`, worst?.line ?? row.end);
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: 0,
  };
  const both = totals.globalLoadSectors + totals.globalStoreSectors;
  return {
    row,
    bytes,
    longest,
    evidence: evidenceFor(entry, facts, { array: row.array, times: row.walks.length }),
    gain: gainOn(input, ["dram", "l2"], shareSaved(saved, both)),
  };
}

/** The greatest value of a loop's end on the visible shapes: a constant, or a parameter of the spec. */
function longestRow(input: RuleInput, view: KernelView, end: SyntaxNode): number | RuleHold {
  const constant = view.scope.value(end);
  if (constant !== undefined) return constant;
  const position = view.kernel.facts.parameters.findIndex(({ name }) => name === end.text);
  const { run, shapes } = input.spec;
  const values = shapes.flatMap((shape) => {
    const own = run.kind === "entry" ? shape.sizes[end.text] : undefined;
    return passedNumber(input, view, position, shape) ?? own ?? [];
  });
  return values.length === shapes.length && values.length > 0
    ? Math.max(...values)
    : not("limit", `the kernel spec does not say how great ${end.text} is`, end);
}
