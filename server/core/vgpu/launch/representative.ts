import { type KernelCounters, mergeCounters } from "../../timing/counters";
import {
  type BlockSample,
  type Sharing,
  middlePatch,
  sampleOf,
  scaledKernel,
  sharesNothing,
  sharingOf,
  spreadBlocks,
} from "../../timing/sample/representative";
import type { Executed } from "../../timing/execution/executed";
import type { CompiledKernel } from "../compile-kernel";
import { launch } from "./launch";
import { clusterSize } from "./state/clusters/cluster-blocks";
import type { LaunchOutcome, LaunchRequest } from "./state/types";

/** Warp-level instructions that a sample may take beyond its first block. */
export interface SampleBudget {
  /**
   * Of the first block's neighbours and of one block of each side; where they take more, none of them runs,
   * and where the first block alone takes more, no other.
   */
  readonly neighbours: number;
  /** Of the blocks spread over the grid, all together. */
  readonly spread: number;
}

const usualBudget: SampleBudget = { neighbours: Infinity, spread: 4_000_000 };
/** Parts of the spread blocks that are compared with each other. */
const groups = 4;
const mostInGroup = 64;
/** Two along each direction at least: fewer would not tell what rows and what columns share. */
const fewestInPatch = 4;

/** Counters of a launch of which some blocks ran and the others were taken to be like them. */
interface RepresentativeCounters {
  readonly counters: KernelCounters;
  readonly countedBlocks: number;
  /**
   * By how much of the mean the parts of the sample differ in instructions and sectors at most, half of it:
   * 0.02 says that 2 % more or less would not surprise. 0 where all blocks ran.
   */
  readonly error: number;
  /** What blocks load in common; undefined where all blocks ran, whose reuse is counted. */
  readonly sharing?: Sharing;
  /**
   * What each instruction did in blocks side by side in the middle, or in all; for requests with `executed`.
   */
  readonly executed?: Executed;
}

type Failed = Exclude<LaunchOutcome, { kind: "completed" }>;

interface Part {
  readonly counters: KernelCounters;
  readonly executed?: Executed;
  readonly blocks: number;
}

class NotCompleted extends Error {
  constructor(readonly outcome: Failed) {
    super(outcome.kind);
  }
}

/**
 * Counters of a launch from representative blocks: one in the middle, its neighbours, one of each side of the
 * grid, and some spread over it. All blocks run where there are few or where they wait for each other. What a
 * sampled launch leaves in memory is of no use. For kernels compiled with counters. A budget may leave blocks
 * out; what those would have shown is then taken to be as in the others.
 */
export function countRepresentative(
  kernel: CompiledKernel,
  request: LaunchRequest,
  budget: SampleBudget = usualBudget,
): { readonly kind: "counted"; readonly result: RepresentativeCounters } | Failed {
  const [x, y, z] = request.grid;
  const isJoint = kernel.code.spins || request.cooperative || clusterSize(kernel, request) > 1;
  const sample = isJoint ? undefined : sampleOf(request.grid);
  try {
    if (sample) return { kind: "counted", result: sampled(kernel, request, { sample, budget }) };
    const { counters, executed } = part(kernel, request);
    const result = { counters, countedBlocks: x * y * z, error: 0, ...(executed && { executed }) };
    return { kind: "counted", result };
  } catch (thrown) {
    if (thrown instanceof NotCompleted) return thrown.outcome;
    throw thrown;
  }
}

function sampled(
  kernel: CompiledKernel,
  request: LaunchRequest,
  { sample, budget }: { readonly sample: BlockSample; readonly budget: SampleBudget },
): RepresentativeCounters {
  const [x, y, z] = request.grid;
  const run = (blocks: readonly number[]): Part => part(kernel, { ...request, executed: false }, blocks);
  const single = run([sample.single]);
  const cost = Math.max(1, single.counters.totals.instructions);
  const affordable = budget.spread / groups / cost;
  const inGroup = Math.max(1, Math.min(mostInGroup, Math.floor(affordable)));
  const runSpread = (): readonly Part[] => spreadBlocks(request.grid, inGroup, groups).map(run);
  const neighbours = 2 * sample.pairs.length + sample.sides.length;
  if (cost > budget.neighbours) return standForAll([single], x * y * z);
  if (cost * neighbours > budget.neighbours) return standForAll([single, ...runSpread()], x * y * z);
  const pairs = sample.pairs.map(({ directions, blocks }) => ({ directions, part: run(blocks) }));
  const sides = sample.sides.map(({ block, standsFor }) => ({ standsFor, part: run([block]) }));
  const spread = runSpread();
  const patch = middlePatch(request.grid, Math.max(fewestInPatch, Math.min(mostInGroup, affordable)));
  const { executed } = request.executed === true ? part(kernel, request, patch) : {};
  const inner = [single, ...spread];
  const innerBlocks = sides.reduce((left, { standsFor }) => left - standsFor, x * y * z);
  const first = (each: Part): number => each.counters.totals.loadReuse?.first ?? 0;
  return {
    counters: mergeCounters([
      scaledKernel(merged(inner), innerBlocks / blocksOf(inner)),
      ...sides.map((side) => scaledKernel(side.part.counters, side.standsFor)),
    ]),
    countedBlocks: blocksOf([...inner, ...[...pairs, ...sides].map((each) => each.part)]),
    error: spreadError(spread),
    ...(executed && { executed }),
    sharing: sharingOf(
      first(single),
      pairs.map((pair) => ({ directions: pair.directions, first: first(pair.part) })),
    ),
  };
}

/** Counters of some blocks as those of all, which share nothing as far as is known. */
function standForAll(parts: readonly Part[], blocks: number): RepresentativeCounters {
  const counters = merged(parts);
  const countedBlocks = blocksOf(parts);
  const own = (counters.totals.loadReuse?.first ?? 0) / countedBlocks;
  return {
    counters: scaledKernel(counters, blocks / countedBlocks),
    countedBlocks,
    error: parts.length > 1 ? spreadError(parts) : 0,
    sharing: sharesNothing(own),
  };
}

function merged(parts: readonly Part[]): KernelCounters {
  return mergeCounters(parts.map(({ counters }) => counters));
}

function blocksOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { blocks }) => sum + blocks, 0);
}

/** Half the range of the groups' instructions or sectors a block, as a share of their mean. */
function spreadError(parts: readonly Part[]): number {
  const halfRange = (of: (each: Part) => number): number => {
    const values = parts.map((each) => of(each) / each.blocks);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return mean === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / 2 / mean;
  };
  return Math.max(
    halfRange(({ counters }) => counters.totals.instructions),
    halfRange(({ counters }) => counters.totals.globalLoadSectors + counters.totals.globalStoreSectors),
  );
}

/** Runs the blocks with these numbers, or all, with counters of their own. */
function part(kernel: CompiledKernel, request: LaunchRequest, blocks?: readonly number[]): Part {
  const left = blocks ? [...blocks].toSorted((a, b) => a - b) : undefined;
  let budget = request.instructionBudget;
  const outcome = launch(kernel, {
    ...request,
    ...(left && {
      share: {
        take: () => {
          const next = left.shift();
          return next === undefined ? undefined : { from: next, to: next + 1 };
        },
        spend: (instructions) => (budget -= instructions),
      },
    }),
  });
  if (outcome.kind !== "completed") throw new NotCompleted(outcome);
  if (outcome.counters === undefined) throw new Error("the kernel was compiled without counters");
  const [x, y, z] = request.grid;
  const executed = outcome.executed ? { executed: outcome.executed } : {};
  return { counters: outcome.counters, ...executed, blocks: blocks?.length ?? x * y * z };
}
