import { invariant } from "../../base/assert";
import { lanes, warpLayout } from "../layout";
import { type BarrierPlace, findBarrierPlaces } from "./barrier-places";
import type { CodeBlock } from "./blocks";
import { type CallReturns, findCallReturns } from "./call-records";
import { timesLeft } from "./clocks";
import { type Liveness, analyzeLiveness, hasBit } from "./liveness";
import type { Program, ProgramInstruction } from "../flatten/program";
import { usedRegisters } from "./register-uses";
import { type Segment, cutSegments, findLaneLoads } from "./segments";
import { planSlots } from "./slots";
import { canSpread } from "./spreading";
import { type Spin, type SpinPlan, planSpins } from "./spinning";
import { type StackOptions, callStackBytes } from "../flatten/stack";
import { type WaitingPlace, findWaitingPlaces } from "./waiting-places";

/** What is decided about one block before its code is emitted. */
export interface PlannedBlock {
  readonly segments: readonly Segment[];
  /** Set when lanes may wait in this block for what others do. */
  readonly spin?: Spin | undefined;
  /** Registers that the call at the end keeps, and those that the call before this block kept. */
  readonly saved?: readonly number[] | undefined;
  readonly restored?: readonly number[] | undefined;
}

/** What is decided about a kernel's blocks before code is emitted. */
export interface BlockPlan {
  /** Byte offset in a warp's block of a register that leaves its segment. */
  slotOf(register: number): number;
  /** Registers whose values are used for more than being stored on. */
  readonly used: ReadonlySet<number>;
  /** Where the records of waiting blocks lie in a warp's block. */
  readonly spinsAt: number;
  /**
   * The lanes' call stacks behind the records of waiting blocks: byte offset in the warp's block, bytes of
   * each.
   */
  readonly stack: { readonly at: number; readonly bytes: number };
  /** Bytes of a warp's block in all. */
  readonly warpBytes: number;
  /** Blocks in which lanes may wait for others; their records lie behind the registers of a warp. */
  readonly spins: SpinPlan;
  /** What they look at there. */
  readonly waits: ReadonlyMap<number, WaitingPlace>;
  readonly barriers: ReadonlyMap<number, BarrierPlace>;
  /** Where calls come back to. */
  readonly returns: CallReturns;
  /** Blocks of threads may run at the same time in several threads of the host. */
  spreads(): boolean;
  /** Time of its block that is still to come behind an instruction that reads a clock. */
  readonly timesLeft: ReadonlyMap<ProgramInstruction, number>;
  /** Of each block. */
  readonly parts: readonly PlannedBlock[];
}

interface PlanOptions extends StackOptions {
  readonly counters: boolean;
  readonly detectors: boolean;
  readonly accesses?: boolean;
}

/** Somebody looks at each access of a warp as one. */
function isWatched({ counters, detectors, accesses = false }: PlanOptions): boolean {
  return counters || detectors || accesses;
}

/** Finds out where values are needed, gives registers their places and cuts blocks into segments. */
export function planBlocks(
  blocks: readonly CodeBlock[],
  program: Pick<Program, "registers" | "pinned" | "callDepth">,
  options: PlanOptions,
): BlockPlan {
  const liveness = analyzeLiveness(blocks, program.registers.length);
  const spins = planSpins(blocks);
  const laneLoads = isWatched(options)
    ? new Set<never>()
    : findLaneLoads(blocks, spins.spins, program.registers);
  const saved = findSaved(blocks, liveness, program);
  const slots = planSlots(blocks, liveness, { ...program, laneLoads });
  const stack = { at: slots.warpBytes + spins.bytes, bytes: callStackBytes(program, options) };
  const slotOf = (register: number): number => {
    const offset = slots.offsets[register] ?? -1;
    invariant(offset >= warpLayout.registers, "a register that leaves its segment has a place");
    return offset;
  };
  return {
    slotOf,
    waits: findWaitingPlaces(blocks, spins.spins, { registers: program.registers, slotOf }),
    barriers: findBarrierPlaces(blocks, slotOf),
    returns: findCallReturns(blocks, saved, program.registers),
    used: usedRegisters(blocks),
    spinsAt: slots.warpBytes,
    stack,
    spins,
    warpBytes: stack.at + lanes * stack.bytes,
    spreads: () => spins.spins.size === 0 && canSpread(blocks),
    timesLeft: timesLeft(blocks),
    parts: blocks.map((block, index) => ({
      segments: cutSegments(block, index, { liveness, laneLoads }),
      spin: spins.spins.get(index),
      saved: saved.get(index),
      restored: block.resumes === undefined ? undefined : saved.get(block.resumes),
    })),
  };
}

/**
 * What is live behind a call of a function that may come back to the one that calls: its registers would be
 * overwritten on the way.
 */
function findSaved(
  blocks: readonly CodeBlock[],
  liveness: Liveness,
  { registers, pinned }: Pick<Program, "registers" | "pinned">,
): Map<number, readonly number[]> {
  const saved = new Map<number, readonly number[]>();
  blocks.forEach(({ terminator }, index) => {
    if (terminator.kind !== "call") return;
    const live = terminator.saves ? liveness.liveIn[terminator.next] : undefined;
    saved.set(
      index,
      live ? [...registers.keys()].filter((register) => hasBit(live, register) && !pinned.has(register)) : [],
    );
  });
  return saved;
}
