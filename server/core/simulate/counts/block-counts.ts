import { at } from "../../base/known";
import type { CodeBlock, KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import { type BlockEquation, groupEquations } from "./anchor-equations";
import { type AnchorGroup, anchorGroups } from "./groups";
import { lineEstimates } from "./line-estimates";
import { type Loop, loopsOf } from "./loops";
import { type Equation, leastSquares } from "./nonnegative";
import { type FlowEdge, type FlowGraph, flowGraph, mostEdges } from "./ways";

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

/** Maps the counts of PTX to the blocks of machine code. */
export function machineCounts(executed: Executed, code: KernelMachineCode): MachineCounts {
  const groups = anchorGroups(executed.instructions, code);
  const warps = Math.max(1, executed.warps);
  const graph = flowGraph(code);
  const { edges } = graph;
  const estimates = lineEstimates(executed, code, graph);
  const executedByWarp = executed.instructions.reduce((sum, each) => sum + each.executions, 0) / warps;
  const equations = groups.flatMap(groupEquations).map((each) => ({ ...each, value: each.value / warps }));
  if (edges.length > mostEdges) {
    const flows = evenFlows(edges, estimates);
    const deviation = deviationOf(equations, estimates);
    return { blocks: estimates, graph, flows, groups, method: "lines", deviation };
  }
  const flows = solve({ code, graph, anchors: equations, estimates, executedByWarp });
  const blocks = sumsByBlock(code.blocks.length, edges, flows);
  return { blocks, graph, flows, groups, method: "graph", deviation: deviationOf(equations, blocks) };
}

interface CountProblem {
  readonly code: KernelMachineCode;
  readonly graph: FlowGraph;
  readonly anchors: readonly BlockEquation[];
  readonly estimates: readonly number[];
  /** PTX instructions of a warp. */
  readonly executedByWarp: number;
}

function solve({ code, graph, anchors, estimates, executedByWarp }: CountProblem): readonly number[] {
  const { edges } = graph;
  let scales = estimates.map((estimate) => Math.max(0.05, estimate));
  let doubts = anchors.map(() => 1);
  const loops = loopsOf(edges);
  const anchored = new Set(anchors.flatMap(({ blocks }) => [...blocks.keys()]));
  const guesses = [...estimates.keys()].filter((block) => !anchored.has(block));
  let flows: ArrayLike<number> = [];
  const costs = edges.map(({ from }) => {
    const { start, end } = at(code.blocks, from);
    return (costOfAll * (end - start)) / Math.max(1, executedByWarp);
  });
  for (let round = 0; round < reweightings; round += 1) {
    const equations = [
      ...flowEquations(code.blocks, graph, scales),
      ...loops.map((loop) => passageEquation(loop, scales)),
      ...anchors.map((each, n) => anchorEquation(each, edges, at(doubts, n))),
      ...guesses.map((block) => estimateEquation({ block, value: at(estimates, block) }, edges)),
      ...(round === 0 ? [] : loops.map((loop) => entryEquation(loop, scales))),
    ];
    flows = leastSquares(equations, edges.length, costs);
    const found = sumsByBlock(code.blocks.length, edges, flows);
    doubts = anchors.map((each) => 1 / (0.02 + relativeDeviation(each, found)));
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

/** Deviations count by their share of the value. */
function anchorEquation(
  { blocks, value, trust }: BlockEquation,
  edges: readonly FlowEdge[],
  doubt: number,
): Equation {
  const unit = Math.max(value, 0.05);
  const terms = edges.flatMap(({ from }, edge): (readonly [number, number])[] => {
    const coefficient = blocks.get(from);
    return coefficient === undefined ? [] : [[edge, coefficient / unit]];
  });
  return { terms, value: value / unit, weight: trust * doubt };
}

function estimateEquation(
  { block, value }: { readonly block: number; readonly value: number },
  edges: readonly FlowEdge[],
): Equation {
  const unit = Math.max(value, 1);
  const terms = [...edges.entries()].filter(([, { from }]) => from === block);
  return {
    terms: terms.map(([edge]): [number, number] => [edge, 1 / unit]),
    value: value / unit,
    weight: estimateTrust,
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
