import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { compact, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { inBlockTurns } from "../launch/block-turns";
import { fewerBlocks } from "../launch/fewer-blocks";
import { inGridTurns } from "../launch/grid-turns";
import { arraysOf, type Bins } from "./bins";
import { closedConditions, earlyExits, exitsAsConditions } from "./early-exit";
import { combinations } from "./shared-sum";
import { talliesOf, type Tally } from "./tallies";

const wordsOfSector = 8;
/** Additions to a bin, by the whole launch, from which they wait for each other whoever makes them. */
const manyEach = 512;

/**
 * Lets the threads of a block count in shared memory and add what they found once at the end. Bins beyond
 * those that are kept there are counted in global memory as before, so any number of bins is right.
 */
export const privatizeHistogram = defineRule("cuda-privatize-histogram", (input, entry) => {
  const own = privatized(input, entry);
  const threads = own.kind === "proposal" ? inGridTurns(input) : undefined;
  const turns = threads ?? inBlockTurns(input);
  const other = turns && privatized(turns, entry, true);
  // Fewer blocks hand over fewer bins; whether that pays for what they hide less, the judge says.
  if (other?.kind !== "proposal") return own;
  const walk =
    threads === undefined ? "blocks take the places of others in turn" : "threads walk over the grid";
  const hypothesis = `${other.hypothesis.replace(/\.$/, "")}; ${walk}, so that no more blocks do than the GPU has room for.`;
  return own.kind === "proposal"
    ? [own, { ...other, hypothesis, isAlternative: true }]
    : { ...other, hypothesis };
});

/** `isInTurns`: threads or blocks walk over the grid for the sake of fewer blocks alone. */
function privatized(input: RuleInput, entry: RuleEntry, isInTurns = false): RuleAnswer {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const { atomics } = cudaAccesses(view.kernel);
  const [first] = atomics;
  if (first === undefined) return not("no-pattern", "the kernel has no atomics on global memory", view.line);
  const met = atomics.filter(({ node }) => crowdOf(input, node) >= threshold(entry, "ratio"));
  const [worst] = [...met].sort((a, b) => passesOf(input, b) - passesOf(input, a));
  if (worst === undefined)
    return not("no-evidence", "few threads of a block add to the same bin", first.node);
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / crowdOf(input, worst.node));
  const tallies = talliesOf(view, atomics, met);
  if (isNot(tallies)) return tallies;
  const arrays = arraysOf(input, view, { tallies, most: threshold(entry, "binsMost") });
  const found = tallied(view, arrays);
  if (isNot(found)) return { ...found, gain };
  const capped = fewerBlocks(input, view, worst.node);
  if (isInTurns && capped.length === 0)
    return not("launch", "the number of blocks is not said where they are launched", view.line);
  const facts = {
    ...{ file: input.file, line: lineOf(worst.node) },
    ...crowded(input, worst.node),
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [...found, ...capped]),
    hypothesis: fillSentence(entry.hypothesis, {
      bins: [...new Set(arrays.map(({ kept }) => kept))].join(" and "),
    }),
    evidence: evidenceFor(entry, facts),
    gain,
  };
}

function passesOf(input: RuleInput, { node }: CudaAccess): number {
  return countsOf(input, node).globalAtomicPasses;
}

/** Additions that wait for each other, and how many would do. */
interface Crowd {
  readonly counter: "globalAtomicPasses" | "globalAtomicLanes";
  readonly value: number;
  readonly ideal: number;
}

function crowdOf(input: RuleInput, node: SyntaxNode): number {
  const { value, ideal } = crowded(input, node);
  return value / Math.max(1, ideal);
}

/** Lanes of a warp that meet in a bin, or threads of a block where many blocks add to the same few. */
function crowded(input: RuleInput, node: SyntaxNode): Crowd {
  const { globalAtomics, globalAtomicPasses, globalAtomicLanes: lanes, storeReuse } = countsOf(input, node);
  const ofWarp = { counter: "globalAtomicPasses", value: globalAtomicPasses, ideal: globalAtomics } as const;
  const bins = Math.max(1, storeReuse?.first ?? 0) * wordsOfSector;
  const blocks = blocksOf(input);
  if (blocks === 0 || storeReuse === undefined || lanes < bins * manyEach) return ofWarp;
  const ofBlocks = Math.round(blocks * Math.min(bins, lanes / blocks));
  const isMore = lanes / ofBlocks > globalAtomicPasses / Math.max(1, globalAtomics);
  return isMore ? { counter: "globalAtomicLanes", value: lanes, ideal: ofBlocks } : ofWarp;
}

/** Blocks of all launches of the kernel; 0 where that is not known. */
function blocksOf({ launches = [], kernel }: RuleInput): number {
  const own = launches.filter((launch) => launch.kernel === undefined || launch.kernel.includes(kernel));
  return own.reduce((sum, { blocks, times }) => sum + blocks * times, 0);
}

function tallied(view: KernelView, arrays: readonly Bins[]): readonly TextEdit[] | RuleHold {
  const { source, body } = view;
  const statement = arrays[0]?.tallies[0]?.statement ?? body;
  const exits = earlyExits(view, statement);
  if (isNot(exits)) return exits;
  const [bin, thread] = [freshName(source, "bin"), freshName(source, "own")];
  let taken = source;
  const named = arrays.map((each) => {
    const name = freshName(taken, "ownBins");
    taken += ` ${name}`;
    return { ...each, name };
  });
  const first = partsOf(body)[0] ?? body;
  const indent = indentOf(source, first);
  const walk = (kept: number): string =>
    `for (int ${thread} = threadIdx.y * blockDim.x + threadIdx.x; ${thread} < ${kept}; ${thread} += blockDim.x * blockDim.y)`;
  const head = [
    ...named.map(({ type, name, kept, copies }) => `__shared__ ${type} ${name}[${kept * copies}];`),
    ...alike(named, ({ kept, copies }) => kept * copies).flatMap(([kept, group]) => {
      const starts = group.map(({ name, start }) => `${name}[${thread}] = ${start};`);
      return starts.length === 1
        ? [`${walk(kept)} ${starts.join("")}`]
        : [`${walk(kept)} {`, ...starts.map((line) => `  ${line}`), "}"];
    }),
    "__syncthreads();",
  ];
  const tail = [
    ...closedConditions(exits),
    "__syncthreads();",
    ...alike(named, ({ kept, copies }) => (copies === 1 ? kept : -copies)).flatMap(([, group]) => {
      const lines = group.flatMap((each) =>
        each.copies === 1
          ? [`  ${handedOver(each, thread, `${each.name}[${thread}]`)}`]
          : together(taken, each, thread),
      );
      const [{ kept }] = group;
      return lines.length === 1 ? [walk(kept), ...lines] : [`${walk(kept)} {`, ...lines, "}"];
    }),
  ];
  const end = body.endIndex - 1;
  return [
    insertBefore(first, `${head.join(`\n${indent}`)}\n${indent}`),
    ...exitsAsConditions(exits),
    ...runsOf(named).map((run) => countedRun(source, run, bin)),
    { start: end, end, text: `${indent}${tail.join(`\n${indent}`)}\n` },
  ];
}

type Named = Bins & { readonly name: string };

/** Bins that are walked over together. */
function alike(
  named: readonly Named[],
  walk: (each: Named) => number,
): readonly (readonly [number, readonly [Named, ...Named[]]])[] {
  const groups = new Map<number, [Named, ...Named[]]>();
  for (const each of named) {
    const group = groups.get(walk(each));
    if (group === undefined) groups.set(walk(each), [each]);
    else group.push(each);
  }
  return [...groups.entries()];
}

function handedOver({ function: act, at, start }: Named, thread: string, sum: string): string {
  return `if (${sum} != ${start}) ${act}(${at(thread)}, ${sum});`;
}

/** The counters of all lanes as one. */
function together(source: string, each: Named, thread: string): readonly string[] {
  const { name, type, copies, function: act, start } = each;
  const lane = freshName(source, "lane");
  const sum = name.replace(/^ownBins/, freshName(source, "sum"));
  const one = `${name}[${thread} * ${copies} + (${thread} + ${lane}) % ${copies}]`;
  return [
    `  ${type} ${sum} = ${start};`,
    `  for (int ${lane} = 0; ${lane} < ${copies}; ++${lane})`,
    `    ${combinations[act](sum, one)}`,
    `  ${handedOver(each, thread, sum)}`,
  ];
}

interface Counted {
  readonly bins: Named;
  readonly tally: Tally;
}

/** Statements that stand beside each other and count at one index in as many bins. */
function runsOf(named: readonly Named[]): readonly (readonly [Counted, ...Counted[]])[] {
  const all = named
    .flatMap((bins) => bins.tallies.map((tally) => ({ bins, tally })))
    .sort((a, b) => a.tally.statement.startIndex - b.tally.statement.startIndex);
  const runs: [Counted, ...Counted[]][] = [];
  for (const each of all) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext =
      last !== undefined &&
      last.bins.kept === each.bins.kept &&
      compact(last.tally.index) === compact(each.tally.index) &&
      last.tally.statement.nextNamedSibling?.id === each.tally.statement.id;
    if (run !== undefined && isNext) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

function countedRun(source: string, run: readonly [Counted, ...Counted[]], bin: string): TextEdit {
  const [{ tally, bins }] = run;
  const start = tally.statement.startIndex;
  const end = run.at(-1)?.tally.statement.endIndex ?? tally.statement.endIndex;
  const isIn = `${bin} >= 0 && ${bin} < ${bins.kept}`;
  const own = run.map((each) => ownSum(each, bin));
  const other = run.map((each) => `${each.tally.function}(${each.tally.at(bin)}, ${each.tally.value.text});`);
  const number = `const int ${bin} = ${tally.index.text};`;
  if (run.length === 1)
    return { start, end, text: `{ ${number} if (${isIn}) ${own.join("")} else ${other.join("")} }` };
  const indent = indentOf(source, tally.statement);
  const inner = `${indent}  `;
  const block = (lines: readonly string[]): string => lines.map((line) => `\n${inner}  ${line}`).join("");
  const branches = [`if (${isIn}) {${block(own)}`, `} else {${block(other)}`, "}"];
  return {
    start,
    end,
    text: `{\n${[number, ...branches].map((line) => inner + line).join("\n")}\n${indent}}`,
  };
}

/** `atomicAdd(&ownBins[bin], value);`, or the plain sum where one thread alone adds. */
function ownSum({ bins, tally }: Counted, bin: string): string {
  const { name, copies, isOwn, function: act, one } = bins;
  const lane = `(threadIdx.y * blockDim.x + threadIdx.x) % ${copies}`;
  const element = `${name}[${copies === 1 ? bin : `${bin} * ${copies} + ${lane}`}]`;
  const text = one ?? tally.value.text;
  return isOwn ? combinations[act](element, text) : `${act}(&${element}, ${text});`;
}
