import { known } from "../../../../base/known";
import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { constantNamed } from "../../../../language/cuda/constants";
import { warpLevelUse } from "../../../../language/cuda/body/threads";
import { enclosing, lineOf, usesOf } from "../../../../language/query";
import { editedTree, replaceNumber } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleEvidence, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView, scalarBytes } from "../kernel";
import {
  blockShape,
  fixedElsewhere,
  type Literal,
  literalBehind,
  servesOtherKernel,
} from "../launch/block-shape";

/**
 * Doubles the constant that is the side of both the square block and its square shared tiles: each loaded
 * value is used twice as often. Taken only where the old number stands nowhere else, so that everything
 * follows the constant.
 */
export const enlargeSharedTile = defineRule("cuda-enlarge-shared-tile", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const arrays = arraysOf(view.body).filter(({ storage }) => storage === "shared");
  if (arrays.length === 0) return not("no-pattern", "the kernel has no shared tile", view.line);
  const side = sideOf(input, view);
  if (isNot(side)) return side;
  const held =
    notSquare(arrays, side) ??
    fixedElsewhere(input, view, side) ??
    servesOtherKernel(view, side.name) ??
    beyondLimits(input, view, { entry, arrays, side });
  if (held !== undefined) return held;
  const loads = tileLoads(input, entry, { view, arrays, side });
  if (isNot(loads)) return loads;
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNumber(side.node, side.value * 2)]),
    hypothesis: fillSentence(entry.hypothesis, { side: String(side.value * 2), before: String(side.value) }),
    ...loads,
  };
});

type Side = Literal & { readonly name: string };

/** The constant that is both sides of the block. */
function sideOf(input: RuleInput, view: KernelView): Side | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const { launch } = block;
  if (launch === undefined)
    return not("fixed-elsewhere", "the kernel spec or several launches fix the block", view.line);
  const [x, y, z] = launch.block;
  const literals = [x, y].map((extent) => literalBehind(extent, launch.names));
  const [literal, other] = literals;
  if (block.sizes[0] !== block.sizes[1] || (z !== undefined && block.sizes[2] !== 1))
    return not("launch", `the block of ${block.sizes.join(" × ")} threads is no square`, launch.call);
  if (literal?.name === undefined || literal.node.id !== other?.node.id)
    return not("launch", "the sides of the block are not one named constant", launch.call);
  const known = constantNamed(view.model.constants, literal.name);
  const warp = warpLevelUse(view.model, view.kernel);
  if (known?.node?.id !== literal.node.id)
    return not("launch", `${literal.name} is not known to the kernel`, literal.node);
  return warp === undefined
    ? { ...literal, name: literal.name }
    : not("cooperation", `${warp.text} depends on which threads share a warp`, warp.line);
}

function notSquare(arrays: readonly KernelArray[], side: Side): RuleHold | undefined {
  const odd = arrays.find(
    ({ sizes }) => sizes.length !== 2 || !sizes.every((size) => usesOf(size, side.name).length === 1),
  );
  return odd && not("no-pattern", `${odd.name} is not ${side.name} by ${side.name}`, odd.declaration);
}

interface Tiles {
  readonly entry: RuleEntry;
  readonly arrays: readonly KernelArray[];
  readonly side: Side;
}

/** Threads, shared memory and registers of the larger block. */
function beyondLimits(
  input: RuleInput,
  view: KernelView,
  { entry, arrays, side }: Tiles,
): RuleHold | undefined {
  const next = side.value * 2;
  const threads = next * next;
  const registers = Math.max(0, ...input.facts.map((fact) => fact.registers)) * threads;
  const sizes = arrays.map(({ type }) => scalarBytes(view, type));
  const unknown = arrays.find((_, place) => sizes[place] === undefined);
  if (unknown !== undefined)
    return not(
      "type",
      `how large an element of ${unknown.name} is, a ${unknown.type}, is not known`,
      side.node,
    );
  const bytes = sizes.reduce<number>((sum, size) => sum + (next + 1) * next * known(size, "a size"), 0);
  if (threads > threshold(entry, "threadsMost"))
    return not("limit", `a side of ${next} makes a block of ${threads} threads`, side.node);
  if (bytes > threshold(entry, "sharedBytesMost"))
    return not("limit", `a side of ${next} needs ${bytes} bytes of shared memory`, side.node);
  return registers > threshold(entry, "registersMost")
    ? not("limit", `a side of ${next} needs ${registers} registers a block`, side.node)
    : undefined;
}

/** What filling the tiles loads; a guard's answer unless that is most of the kernel's traffic. */
function tileLoads(
  input: RuleInput,
  entry: RuleEntry,
  { view, arrays, side }: { readonly view: KernelView } & Omit<Tiles, "entry">,
): { readonly evidence: RuleEvidence; readonly gain: number } | RuleHold {
  const fills = arrays.flatMap(({ accesses }) => accesses).flatMap(({ node }) => fillOf(node) ?? []);
  const loads = fills.map((statement) => {
    const { globalLoadSectors, globalLoadSectorsIdeal } = countsOf(input, statement);
    return { line: lineOf(statement), sectors: globalLoadSectors, ideal: globalLoadSectorsIdeal };
  });
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  if (worst === undefined || worst.sectors === 0)
    return not("no-evidence", "filling the tiles loads nothing from global memory", view.line);
  const loops = arrays.some(({ accesses }) =>
    accesses.some(({ node }) => enclosing(node, "for_statement") !== undefined),
  );
  if (!loops) return not("no-pattern", "no loop walks over the tiles", view.line);
  if (worst.sectors > worst.ideal * threshold(entry, "coalescedMost"))
    return not("no-evidence", "the loads are uncoalesced, which costs more than their number", worst.line);
  const value = loads.reduce((sum, load) => sum + load.sectors, 0);
  const { totals } = input.counters;
  if (shareSaved(value, totals.globalLoadSectors) < threshold(entry, "shareLeast"))
    return not("no-evidence", "filling the tiles is a small part of what is loaded", worst.line);
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: Math.ceil(worst.sectors / 2),
  };
  const saved = shareSaved(value / 2, totals.globalLoadSectors + totals.globalStoreSectors);
  return {
    evidence: evidenceFor(entry, facts, { side: String(side.value) }),
    gain: gainOn(input, ["dram", "l2"], saved),
  };
}

/** The statement that assigns to an element. */
function fillOf(element: KernelArray["accesses"][number]["node"]) {
  const statement = enclosing(element, "expression_statement");
  const assignment = statement?.namedChildren[0];
  return assignment?.type === "assignment_expression" &&
    assignment.childForFieldName("left")?.id === element.id
    ? statement
    : undefined;
}
