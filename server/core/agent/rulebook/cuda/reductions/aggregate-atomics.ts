import { known } from "../../../../base/known";
import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { fewerBlocks } from "../launch/fewer-blocks";
import { inGridTurns } from "../launch/grid-turns";
import { closedConditions, earlyExits, exitsAsConditions } from "./early-exit";
import { combinations, type SharedSum, sharedSum, startOf } from "./shared-sum";

const warp = 32;

/** Adds in a register first: the lanes of a warp put their parts together, and one lane adds for all. */
export const aggregateAtomics = defineRule("cuda-aggregate-atomics", (input, entry) => {
  const own = summed(input, entry);
  const turns = own.kind === "proposal" ? inGridTurns(input) : undefined;
  const other = turns && summed(turns, entry, true);
  // Fewer threads hand over fewer sums; whether that pays for what they hide less, the judge says.
  if (own.kind !== "proposal" || other?.kind !== "proposal") return own;
  const hypothesis = `${other.hypothesis.replace(/\.$/, "")}; threads walk over the grid, so that no more add than the GPU has room for.`;
  return [own, { ...other, hypothesis, isAlternative: true }];
});

/** `isInTurns`: threads walk over the grid for the sake of fewer sums alone. */
function summed(input: RuleInput, entry: RuleEntry, isInTurns = false): RuleProposal | RuleHold {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const { atomics } = cudaAccesses(view.kernel);
  const [first] = atomics;
  if (first === undefined) return not("no-pattern", "the kernel has no atomics on global memory", view.line);
  const counted = atomics.map((atomic) => ({ atomic, ...crowdOf(input, atomic) }));
  const crowded = counted.filter(({ lanes }) => lanes >= threshold(entry, "ratio"));
  const [worst] = [...crowded].sort((a, b) => b.passes - a.passes);
  if (worst === undefined) return not("no-evidence", "few lanes of a warp add at the same time", first.node);
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / worst.lanes);
  const sums = crowded.map(({ atomic }) => atomic);
  const edits = aggregated(input, view, sums);
  if (isNot(edits)) return { ...edits, gain };
  const capped = isInTurns ? fewerBlocks(input, view, worst.atomic.node) : [];
  if (isInTurns && capped.length === 0)
    return not("launch", "the number of blocks is not said where they are launched", view.line);
  const facts = {
    ...{ file: input.file, line: lineOf(worst.atomic.node), counter: "globalAtomicPasses" as const },
    ...{ value: worst.passes, ideal: Math.ceil(worst.passes / warp) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [...edits, ...capped]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
}

/** Passes of an atomic, and how many of a warp's lanes take part in a request. */
function crowdOf(
  input: RuleInput,
  { node }: CudaAccess,
): { readonly passes: number; readonly lanes: number } {
  const { globalAtomics, globalAtomicPasses: passes } = countsOf(input, node);
  return { passes, lanes: passes / Math.max(1, globalAtomics) };
}

/** The sums of those atomics whose address the block shares; the others stay as they are. */
function aggregated(
  input: RuleInput,
  view: KernelView,
  atomics: readonly CudaAccess[],
): readonly TextEdit[] | RuleHold {
  const read = atomics.map((atomic) => sharedSum(view, atomic));
  const sums = read.flatMap((sum) => (isNot(sum) ? [] : [sum]));
  const held = read.find(isNot);
  const [first] = sums;
  if (first === undefined) return held ?? not("no-pattern", "no atomic is a sum", view.line);
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const [wide, high, deep] = block.sizes;
  if ((wide * high * deep) % warp !== 0 || deep > 1)
    return not("launch", "the block is not whole warps", view.line);
  const exits = earlyExits(view, first.statement);
  return isNot(exits) ? exits : edits(view, { sums, exits, row: wide % warp === 0 });
}

interface Aggregation {
  readonly sums: readonly SharedSum[];
  readonly exits: readonly SyntaxNode[];
  /** True where warps lie along x. */
  readonly row: boolean;
}

/** The sums of one address, with the register that takes them. */
interface Part extends Pick<SharedSum, "address" | "type" | "function"> {
  readonly name: string;
  readonly sums: readonly SharedSum[];
}

/** A register for each address. */
function partsFor(source: string, sums: readonly SharedSum[]): readonly Part[] {
  const keyOf = (sum: SharedSum): string => `${sum.function} ${sum.type} ${sum.address}`;
  const addresses = [...new Map(sums.map((sum) => [keyOf(sum), sum])).entries()];
  let taken = source;
  return addresses.map(([key, { address, type, function: act }]) => {
    const name = freshName(taken, "part");
    taken += ` ${name}`;
    return { address, type, name, function: act, sums: sums.filter((sum) => keyOf(sum) === key) };
  });
}

function edits(view: KernelView, { sums, exits, row }: Aggregation): readonly TextEdit[] {
  const { source, body } = view;
  const parts = partsFor(source, sums);
  const offset = freshName(source, "offset");
  const first = partsOf(body)[0] ?? body;
  const indent = indentOf(source, first);
  const lane = row ? "threadIdx.x" : "(threadIdx.y * blockDim.x + threadIdx.x)";
  const tail = [
    ...closedConditions(exits),
    ...parts.flatMap(({ name, address, function: act }) => [
      `for (int ${offset} = 16; ${offset} > 0; ${offset} /= 2)`,
      `  ${combinations[act](name, `__shfl_xor_sync(0xffffffffu, ${name}, ${offset})`)}`,
      `if (${lane} % ${warp} == 0) ${act}(${address}, ${name});`,
    ]),
  ];
  const end = body.endIndex - 1;
  return [
    insertBefore(
      first,
      parts
        .map(
          (part) =>
            `${part.type} ${part.name} = ${known(startOf(part.function, part.type), "what a sum begins with")};\n${indent}`,
        )
        .join(""),
    ),
    ...exitsAsConditions(exits),
    ...parts.flatMap(({ name, function: act, sums: own }) =>
      own.map(({ statement, value }) => replaceNode(statement, combinations[act](name, value.text))),
    ),
    { start: end, end, text: `${indent}${tail.join(`\n${indent}`)}\n` },
  ];
}
