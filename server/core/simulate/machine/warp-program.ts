import { at, known } from "../../base/known";
import type { KernelMachineCode, PlacedInstruction } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import type { MachineCounts } from "../counts/block-counts";
import { constantPlaces } from "../counts/constant-places";
import { loopsOf } from "../counts/loops";
import type { AccessCost } from "./accesses";
import { tensorClocks } from "./tensor";
import { clocksOf, type UnitUse, unitUseOf } from "./units";
import table from "./units.json";
import { heaviestWay } from "./ways/heaviest-way";
import { waysOfAllWarps } from "./ways/ways-of-all-warps";

/** One instruction as the simulation issues it. */
export interface Step {
  /** Index in the machine code. */
  readonly index: number;
  /** Clocks until the warp's next instruction may issue. */
  readonly stall: number;
  readonly written: number | undefined;
  readonly read: number | undefined;
  readonly waits: readonly number[];
  readonly use: UnitUse;
  readonly access: AccessCost | undefined;
  readonly isBarrier: boolean;
  /** Ends a group of asynchronous copies. */
  readonly closesGroup: boolean;
  /** Waits until a scoreboard counts no more than so many. */
  readonly atMost: { readonly scoreboard: number; readonly count: number } | undefined;
}

/** Where a block leads: each way with the share of executions that take it; -1 ends the warp. */
export interface Way {
  /** Its number among all ways of the code. */
  readonly edge: number;
  readonly to: number;
  readonly share: number;
  /** Leads out of a loop that the block is in, or on from where lanes that went other ways come together. */
  readonly leaves: boolean;
}

/** Steps that follow each other, and what comes then. */
interface ProgramBlock {
  readonly steps: readonly Step[];
  readonly ways: readonly Way[];
  /**
   * All warps of a block of threads take the same way: only on one of them there is a barrier, or one more.
   */
  readonly isOfAllWarps: boolean;
  /**
   * Of such ways, and where most warps end, the number of the one that leads to most work; undefined where
   * none does.
   */
  readonly heaviest?: number | undefined;
  /** The block that it calls at its end: from the end of what is called the warp comes back to the ways. */
  readonly calls?: number | undefined;
}

/** What every warp of a launch runs, on average. */
export interface WarpProgram {
  readonly blocks: readonly ProgramBlock[];
  /** Instructions that a warp executes. */
  readonly length: number;
}

/** What a program is made of. */
interface ProgramParts {
  readonly code: KernelMachineCode;
  readonly counts: MachineCounts;
  readonly executed: Executed;
  readonly costs: ReadonlyMap<number, AccessCost>;
  readonly timing: ArchitectureTiming;
  readonly capability: string;
  /** Tensor rates of the GPU relative to those of its architecture. */
  readonly tensorShare: number;
}

export function warpProgram(parts: ProgramParts): WarpProgram {
  const { code, counts } = parts;
  const own = { tensor: tensorClocks(parts), places: constantPlaces(parts.executed, code, counts) };
  const waysFrom = waysOf(counts);
  const { edges, calls } = counts.graph;
  const ofAll = waysOfAllWarps(code, edges);
  const executed = code.blocks.map(({ start, end }, block) => (end - start) * at(counts.blocks, block));
  const blocks = code.blocks.map(({ start, end }, block) => ({
    steps: code.instructions
      .slice(start, end)
      .map((instruction, n) => stepOf(instruction, start + n, parts, own)),
    ways: waysFrom(block),
    isOfAllWarps: ofAll.has(block),
    heaviest:
      ofAll.has(block) || mostEnd(waysFrom(block)) ? heaviestWay(block, { edges, executed }) : undefined,
    calls: calls.get(block),
  }));
  const length = executed.reduce((sum, each) => sum + each, 0);
  return { blocks, length };
}

/** Whether most warps that come to the end of a block of machine code end there, and others go on. */
function mostEnd(ways: readonly Way[]): boolean {
  return ways.length > 1 && ways.some(({ to, share, leaves }) => to < 0 && share > 0.5 && !leaves);
}

/** What is known of single instructions, by index. */
interface ByInstruction {
  /** Clocks of the tensor unit. */
  readonly tensor: ReadonlyMap<number, number>;
  /** Addresses that a load from constant memory asks for. */
  readonly places: ReadonlyMap<number, number>;
}

/** What is done so many times, one after the other. */
function inTurns({ busy, latency }: UnitUse, times: number): UnitUse {
  if (times === 1) return { busy, latency };
  const longer = busy.map(({ unit, clocks }) => ({ unit, clocks: clocks * times }));
  const more = Math.max(0, ...busy.map(({ clocks }) => clocks * (times - 1)));
  return { busy: longer, latency: latency + more };
}

function stepOf(
  instruction: PlacedInstruction,
  index: number,
  parts: ProgramParts,
  { tensor, places }: ByInstruction,
): Step {
  const { control, operation } = instruction;
  const { costs } = parts;
  const clocks = tensor.get(index);
  const isCommit = operation.name === "LDGDEPBAR";
  return {
    index,
    stall: Math.max(1, control.stall, fenceClocks(instruction, parts)),
    written: control.written,
    read: control.read,
    waits: control.waits,
    use: inTurns(useOf(instruction, clocks, parts), places.get(index) ?? 1),
    access: isCommit ? undefined : costs.get(index),
    isBarrier: operation.name === "BAR",
    closesGroup: isCommit,
    atMost: operation.name === "DEPBAR" ? instruction.atMost : undefined,
  };
}

/** Behind a fence a warp goes on when what it has written has come where others see it. */
function fenceClocks({ fence }: PlacedInstruction, { timing }: ProgramParts): number {
  return fence === undefined ? 0 : timing.latency.globalAtomic * table.fences[fence];
}

/** Memory instructions have a queue of their own. */
function useOf(
  instruction: PlacedInstruction,
  tensorClocksOfIt: number | undefined,
  { costs, timing, capability }: ProgramParts,
): UnitUse {
  if (tensorClocksOfIt !== undefined)
    return { busy: [clocksOf("tensor", tensorClocksOfIt)], latency: timing.latency.tensorFp32 };
  return costs.has(instruction.offset / bytesOfOne)
    ? { busy: [], latency: timing.latency.constant }
    : unitUseOf(instruction, timing, capability);
}

const bytesOfOne = 16;

function waysOf(counts: MachineCounts): (block: number) => readonly Way[] {
  const { edges } = counts.graph;
  const loops = loopsOf(edges);
  const parted = new Set(edges.filter(({ isOtherWay }) => isOtherWay).map(({ from }) => from));
  const ways = edges.map(({ from, to, isOtherWay }, edge) => {
    const sum = known(counts.blocks[from], "the executions of a block");
    const isOut = loops.some(({ first, last }) => from >= first && from <= last && (to < first || to > last));
    const leaves = parted.has(from) ? isOtherWay !== true : isOut;
    return { from, edge, to, share: sum > 0 ? at(counts.flows, edge) / sum : 0, leaves };
  });
  return (block) => ways.filter(({ from }) => from === block).sort((a, b) => b.share - a.share);
}
