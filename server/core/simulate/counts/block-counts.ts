import { at } from "../../base/known";
import type { CodeBlock, KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import { fewestOfEach } from "../../timing/execution/launch-model";
import { type BlockEquation, groupEquations, groupSum } from "./anchor-equations";
import { type AnchorGroup, anchorGroups } from "./groups";
import { lineEstimates } from "./line-estimates";
import { type Loop, loopsOf } from "./loops";
import { type Equation, leastSquares } from "./nonnegative";
import { type FlowEdge, type FlowGraph, type Parting, flowGraph, mostEdges, partingsOf } from "./ways";

/** How often the machine code ran, as the PTX's counts say. */
export interface MachineCounts {
  /** Executions of each block by a warp on average. */
  readonly blocks: readonly number[];
  readonly graph: FlowGraph;
  /** Executions of each edge by a warp on average. */
  readonly flows: readonly number[];
  readonly groups: readonly AnchorGroup[];
  /**
   * `graph`: by anchors and the flow between blocks. `lines`: the graph has more ways than are solved for,
   * and each block has its lines' counts in the ratio of both texts.
   */
  readonly method: "graph" | "lines";
  /** Of what the anchors say, the share that the counts deviate from it, 0 for a perfect match. */
  readonly deviation: number;
}

/** Weight of flow: what comes into a block leaves it. Far above any anchor's. */
const flowWeight = 3000;
const estimateTrust = 0.05;
/** That a loop is entered as often as the code around it runs, unless anchors know better. */
const entryTrust = 0.05;
/** Preference for fewer executed instructions where nothing else decides, as of loops unrolled by more. */
const costOfAll = 1e-3;
const reweightings = 5;
/** A deviation from which on anchors are tried in any order. */
const worthAnotherTry = 0.05;

/** Maps the counts of PTX to the blocks of machine code. */
export function machineCounts(executed: Executed, code: KernelMachineCode): MachineCounts {
  const groups = anchorGroups(executed.instructions, code);
  const warps = Math.max(1, executed.warps);
  const graph = flowGraph(code);
  const { edges } = graph;
  const estimates = lineEstimates(executed, code, graph);
  const executedByWarp = executed.instructions.reduce((sum, each) => sum + each.executions, 0) / warps;
  const byWarp = (statements: (group: AnchorGroup) => readonly BlockEquation[]): readonly BlockEquation[] =>
    groups.flatMap(statements).map((each) => ({ ...each, value: each.value / warps }));
  const inOrder = byWarp(groupEquations);
  if (edges.length > mostEdges) {
    const byLines = estimates.map((estimate) => estimate ?? 0);
    const flows = evenFlows(edges, byLines);
    return {
      blocks: byLines,
      graph,
      flows,
      groups,
      method: "lines",
      deviation: deviationOf(inOrder, byLines),
    };
  }
  const solved = (anchors: readonly BlockEquation[], guesses: CountProblem["guesses"]): Solution => {
    const flows = solve({ code, graph, anchors, estimates, executedByWarp, guesses });
    const blocks = sumsByBlock(code.blocks.length, edges, flows);
    return { blocks, flows, deviation: deviationOf(anchors, blocks), inCircle: runsInCircle(edges, flows) };
  };
  const first = solved(inOrder, "without-anchor");
  // Anchors that were taken for others contradict each other or the flow.
  const isDoubtful = first.inCircle || first.deviation > worthAnotherTry;
  const found = isDoubtful ? better(first, solved(byWarp(groupSum), "without-anchor")) : first;
  // Nothing speaks for a loop in which all has guards and rarely runs.
  const isLost = instructionsOf(code.blocks, found.blocks) < fewestOfEach * executedByWarp;
  const { blocks, flows, deviation } = isLost ? solved(inOrder, "with-guards-alone") : found;
  return { blocks, graph, flows, groups, method: "graph", deviation };
}

function instructionsOf(blocks: readonly CodeBlock[], counts: readonly number[]): number {
  return blocks.reduce((sum, { start, end }, block) => sum + (end - start) * at(counts, block), 0);
}

interface Solution extends Pick<MachineCounts, "blocks" | "flows" | "deviation"> {
  /** A loop has turns that nothing leads into. */
  readonly inCircle: boolean;
}

function better(one: Solution, other: Solution): Solution {
  if (one.inCircle !== other.inCircle) return one.inCircle ? other : one;
  return one.deviation <= other.deviation ? one : other;
}

/** Of a turn of a loop, the least part by which it has to be entered. */
const leastEntered = 1e-4;

function runsInCircle(edges: readonly FlowEdge[], flows: readonly number[]): boolean {
  const sum = (list: Iterable<number>): number => [...list].reduce((all, edge) => all + at(flows, edge), 0);
  return loopsOf(edges).some(({ first, entries }) => {
    const turns = sum([...edges.keys()].filter((edge) => at(edges, edge).from === first));
    return turns > 1 && sum(entries) < leastEntered * turns;
  });
}

interface CountProblem {
  readonly code: KernelMachineCode;
  readonly graph: FlowGraph;
  readonly anchors: readonly BlockEquation[];
  readonly estimates: readonly (number | undefined)[];
  /** PTX instructions of a warp. */
  readonly executedByWarp: number;
  /** Which blocks are guessed by their lines: those without an anchor, or those too where all have guards. */
  readonly guesses: "without-anchor" | "with-guards-alone";
}

function solve(problem: CountProblem): readonly number[] {
  const { code, graph, anchors, estimates, executedByWarp } = problem;
  const { edges } = graph;
  let scales = estimates.map((estimate) => Math.max(0.05, estimate ?? 1));
  let doubts = anchors.map(() => 1);
  const loops = loopsOf(edges);
  const sure = anchors.filter(({ isGuarded }) => problem.guesses === "without-anchor" || isGuarded !== true);
  const anchored = new Set(sure.flatMap(({ blocks }) => [...blocks.keys()]));
  const guesses = [...estimates.entries()].flatMap(([block, value]) =>
    value === undefined || anchored.has(block) ? [] : [{ block, value }],
  );
  let doubtsOfGuesses = guesses.map(() => 1);
  let flows: ArrayLike<number> = [];
  const parts = partingsOf(edges);
  // What parts leave unused is unknown as well, and costs nothing.
  const costs = new Float64Array(edges.length + parts.length);
  for (const [edge, { from }] of edges.entries()) {
    const { start, end } = at(code.blocks, from);
    costs[edge] = (costOfAll * (end - start)) / Math.max(1, executedByWarp);
  }
  for (let round = 0; round < reweightings; round += 1) {
    const running = withLoopsWithin(loops, scales);
    const equations = [
      ...flowEquations(code.blocks, graph, scales),
      ...loops.map((loop) => passageEquation(loop, scales)),
      ...parts.map((part, n) => partingEquation(part, edges.length + n, scales)),
      ...anchors.map((each, n) => anchorEquation(each, edges, { doubt: at(doubts, n), scales })),
      ...guesses.map((guess, n) => estimateEquation(guess, edges, at(doubtsOfGuesses, n))),
      ...(round === 0 ? [] : loops.map((loop) => entryEquation(loop, running))),
    ];
    flows = leastSquares(equations, costs.length, costs).subarray(0, edges.length);
    const found = sumsByBlock(code.blocks.length, edges, flows);
    doubts = anchors.map((each) => 1 / (0.02 + relativeDeviation(each, found)));
    doubtsOfGuesses = guesses.map(
      ({ block, value }) => 1 / Math.max(1, Math.abs(at(found, block) - value) / Math.max(value, 1)),
    );
    scales = found.map((value) => Math.max(0.02, value));
  }
  return [...Array.from(flows)];
}

/** Every warp enters once, and what enters a block leaves it. */
function flowEquations(
  blocks: readonly CodeBlock[],
  { edges, calls }: FlowGraph,
  scales: readonly number[],
): readonly Equation[] {
  const entered = new Set([...edges.map(({ to }) => to), ...calls.values()]);
  return blocks.flatMap((_, block) => {
    if (block > 0 && !entered.has(block)) return [];
    const scale = at(scales, block);
    const terms = edges.flatMap(({ from, to }, edge): (readonly [number, number])[] => {
      const enters = Number(to === block) + Number(calls.get(from) === block) - Number(from === block);
      return enters === 0 ? [] : [[edge, -enters / scale]];
    });
    return [{ terms, value: block === 0 ? 1 / scale : 0, weight: flowWeight }];
  });
}

/** The second way of a branch runs after the first one at most as often as warps went the first one. */
function partingEquation(
  { to, first, second }: Parting,
  unused: number,
  scales: readonly number[],
): Equation {
  const unit = at(scales, to);
  const terms = [
    ...second.map((edge): [number, number] => [edge, 1 / unit]),
    ...first.map((edge): [number, number] => [edge, -1 / unit]),
    [unused, 1 / unit] as [number, number],
  ];
  return { terms, value: 0, weight: flowWeight };
}

/**
 * Deviations count by their share of the value; of what has guards by that of the blocks where those run more
 * often: a branch that became guards and was never taken says nothing against the loop around it.
 */
function anchorEquation(
  { blocks, value, trust, isGuarded }: BlockEquation,
  edges: readonly FlowEdge[],
  { doubt, scales }: { readonly doubt: number; readonly scales: readonly number[] },
): Equation {
  const running = [...blocks].reduce((sum, [block, coefficient]) => sum + coefficient * at(scales, block), 0);
  const unit = Math.max(value, 0.05, isGuarded === true ? running : 0);
  const terms = edges.flatMap(({ from }, edge): (readonly [number, number])[] => {
    const coefficient = blocks.get(from);
    return coefficient === undefined ? [] : [[edge, coefficient / unit]];
  });
  return { terms, value: value / unit, weight: trust * doubt };
}

/** Of a guess that is far off the deviation counts, not its square: it may not outweigh what was counted. */
function estimateEquation(
  { block, value }: { readonly block: number; readonly value: number },
  edges: readonly FlowEdge[],
  doubt: number,
): Equation {
  const unit = Math.max(value, 1);
  const terms = [...edges.entries()].filter(([, { from }]) => from === block);
  return {
    terms: terms.map(([edge]): [number, number] => [edge, 1 / unit]),
    value: value / unit,
    weight: estimateTrust * doubt,
  };
}

/** What enters a loop leaves it, however often it goes around. */
function passageEquation(loop: Loop, counts: readonly number[]): Equation {
  const unit = passagesOf(loop, counts);
  const terms = [
    ...loop.exits.map((edge): [number, number] => [edge, 1 / unit]),
    ...loop.entries.map((edge): [number, number] => [edge, -1 / unit]),
  ];
  return { terms, value: 0, weight: flowWeight };
}

/** The counts of blocks, of a loop's first block at least one turn where a loop within it runs. */
function withLoopsWithin(loops: readonly Loop[], counts: readonly number[]): readonly number[] {
  const running = [...counts];
  for (const { first, parent } of loops.toReversed())
    if (parent !== undefined)
      running[parent.first] = Math.max(at(running, parent.first), Math.min(1, at(running, first)));
  return running;
}

/** How often a loop is entered, at most: as often as the code around it runs. */
function passagesOf({ first, parent }: Loop, counts: readonly number[]): number {
  return Math.min(at(counts, first), parent === undefined ? 1 : at(counts, parent.first));
}

/** A loop that runs is entered from around it: flow alone would let it run in a circle. */
function entryEquation(loop: Loop, counts: readonly number[]): Equation {
  const unit = passagesOf(loop, counts);
  return { terms: loop.entries.map((edge) => [edge, 1 / unit]), value: 1, weight: entryTrust };
}

function sumsByBlock(count: number, edges: readonly FlowEdge[], flows: ArrayLike<number>): readonly number[] {
  const sums = new Array<number>(count).fill(0);
  for (const [edge, { from }] of edges.entries()) sums[from] = at(sums, from) + at(flows, edge);
  return sums;
}

function relativeDeviation({ blocks, value }: BlockEquation, counts: readonly number[]): number {
  let found = 0;
  for (const [block, coefficient] of blocks) found += coefficient * at(counts, block);
  return Math.abs(found - value) / Math.max(value, 0.05);
}

function deviationOf(equations: readonly BlockEquation[], counts: readonly number[]): number {
  let [sum, weight] = [0, 0];
  for (const each of equations) {
    const importance = each.trust * Math.max(each.value, 0.05);
    sum += importance * Math.min(1, relativeDeviation(each, counts));
    weight += importance;
  }
  return weight === 0 ? 1 : sum / weight;
}

/** Without a solution each way out of a block is taken equally often. */
function evenFlows(edges: readonly FlowEdge[], counts: readonly number[]): readonly number[] {
  const ways = new Map<number, number>();
  for (const { from } of edges) ways.set(from, (ways.get(from) ?? 0) + 1);
  return edges.map(({ from }) => at(counts, from) / (ways.get(from) ?? 1));
}
