import {
  type CompiledKernel,
  type LaunchOutcome,
  type LaunchRequest,
  LentMemory,
  type MemoryLoan,
  type Triple,
  allTouched,
  launch,
  launchBytes,
} from "../../core/vgpu/index";
import { SharedBlocks } from "./shared-blocks";

/** A grid of fewer blocks is left to one thread. */
export const fewestBlocks = 16;

type PlainRequest = Pick<
  LaunchRequest,
  "grid" | "block" | "dynamicSharedBytes" | "arguments" | "instructionBudget" | "tellsTouched"
>;

/** What a helping thread is sent: plain data and shared memory. `Code`: what it compiles the kernel from. */
export interface HelperWork<Code> {
  readonly code: Code;
  readonly request: PlainRequest;
  readonly loan: MemoryLoan;
  readonly blocks: SharedArrayBuffer;
  readonly threads: number;
}

/** Threads that help with a launch. `Help`: how their outcome comes. */
export interface LaunchTeam<Code, Help> {
  /** How many there are, started or not. */
  readonly size: number;
  /** Sends one of them to work. */
  help(index: number, work: HelperWork<Code>): Help;
}

interface SpreadLaunch<Code> {
  readonly kernel: CompiledKernel;
  readonly code: Code;
  readonly request: PlainRequest & Pick<LaunchRequest, "memory" | "shouldStop">;
  /**
   * Warp-level instructions (estimated from the first blocks) that have to be left before the team is asked:
   * some 100 ms of one thread.
   */
  readonly worthwhile?: number;
}

/** A launch of which this thread has done its part. */
interface BegunLaunch<Help> {
  readonly own: LaunchOutcome;
  readonly helping: readonly Help[];
}

/**
 * Runs a kernel that was compiled for threads on a shared memory, with the team's help once it shows to be
 * long. The outcome is that of one thread: the same bytes, the same instructions, and the fault of the lowest
 * block. Rejects when a helping thread does.
 */
export async function launchSpread<Code>(
  spread: SpreadLaunch<Code>,
  team: LaunchTeam<Code, Promise<LaunchOutcome>>,
): Promise<LaunchOutcome> {
  const { own, helping } = beginSpread(spread, {
    size: team.size,
    help: (index, work) => {
      const outcome = team.help(index, work);
      // A crash is looked at when this thread's own part is done.
      outcome.catch(() => undefined);
      return outcome;
    },
  });
  return joinOutcomes([own, ...(await Promise.all(helping))], spread.request.grid);
}

/**
 * The same where the launching thread has to wait: each helper's outcome is taken by a call, which blocks.
 */
export function launchSpreadHere<Code>(
  spread: SpreadLaunch<Code>,
  team: LaunchTeam<Code, () => LaunchOutcome>,
): LaunchOutcome {
  const { own, helping } = beginSpread(spread, team);
  return joinOutcomes([own, ...helping.map((take) => take())], spread.request.grid);
}

function beginSpread<Code, Help>(
  { kernel, code, request, worthwhile = 5_000_000 }: SpreadLaunch<Code>,
  team: LaunchTeam<Code, Help>,
): BegunLaunch<Help> {
  // Helpers have nobody to ask: they end when no block is left to take.
  const { memory, shouldStop: _, ...plain } = request;
  const [width, height, depth] = request.grid;
  const count = width * height * depth;
  const threads = team.size + 1;
  const blocks = SharedBlocks.create(count, request.instructionBudget, threads);
  const symbols =
    kernel.code.symbols.size > 0 ? memory.loadModule(kernel.code.ptx) : new Map<string, bigint>();
  const bytes = Math.ceil(launchBytes(kernel, request) / 4096) * 4096;
  let helping: Help[] = [];
  const own = memory.withScratch(team.size * bytes, false, ({ linear }) => {
    const callTeam = (): void => {
      const allocations = memory
        .allocations()
        .map(({ name, address, bytes: size, readOnly, isOfHost = false }) => ({
          ...{ name, address, bytes: size, readOnly, isOfHost },
        }));
      helping = Array.from({ length: team.size }, (_, index) =>
        team.help(index, {
          code,
          request: plain,
          blocks: blocks.buffer,
          threads,
          loan: { memory: memory.memory, allocations, symbols, linear: linear + index * bytes, bytes },
        }),
      );
    };
    let taken = 0;
    const take = (used: number): ReturnType<SharedBlocks["take"]> => {
      if (helping.length === 0 && taken > 0 && (used / taken) * blocks.left > worthwhile) callTeam();
      const range = blocks.take();
      taken += range ? range.to - range.from : 0;
      return range;
    };
    return launchPart(
      kernel,
      { ...request, share: { take, spend: (instructions) => blocks.spend(instructions) } },
      blocks,
    );
  });
  return { own, helping };
}

/** A helping thread's part of a launch. */
export function helpLaunch(kernel: CompiledKernel, work: HelperWork<unknown>): LaunchOutcome {
  const blocks = new SharedBlocks(work.blocks, work.threads);
  return launchPart(kernel, { ...work.request, memory: new LentMemory(work.loan), share: blocks }, blocks);
}

function launchPart(kernel: CompiledKernel, request: LaunchRequest, blocks: SharedBlocks): LaunchOutcome {
  const outcome = launch(kernel, request);
  if (outcome.kind !== "completed") blocks.endBefore(blockOf(outcome, request.grid));
  return outcome;
}

/** Linear number of the block that a launch ended in; 0 when it is not one block's doing. */
function blockOf(outcome: LaunchOutcome, [width, height]: Triple): number {
  if (outcome.kind !== "fault" || !outcome.finding.block) return 0;
  const [x, y, z] = outcome.finding.block;
  return x + width * (y + height * z);
}

/** One outcome of all threads' parts. */
function joinOutcomes(parts: readonly LaunchOutcome[], grid: Triple): LaunchOutcome {
  const warpInstructions = parts.reduce(
    (sum, part) => sum + (part.kind === "refused" ? 0 : part.warpInstructions),
    0,
  );
  const refused = parts.find(({ kind }) => kind === "refused");
  if (refused) return refused;
  const faults = parts
    .filter((part) => part.kind === "fault")
    .sort((a, b) => blockOf(a, grid) - blockOf(b, grid));
  const ended = faults[0] ?? parts.find(({ kind }) => kind !== "completed") ?? parts[0];
  if (ended === undefined || ended.kind === "refused")
    return { kind: "completed", findings: [], warpInstructions };
  const touched = allTouched(parts.map((part) => (part.kind === "completed" ? part.touched : undefined)));
  return { ...ended, ...(touched && { touched }), warpInstructions };
}
