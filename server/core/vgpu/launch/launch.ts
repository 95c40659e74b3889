import { lanes, warpLayout } from "../layout";
import type { CompiledKernel } from "../compile-kernel";
import { checkArguments } from "./machine/arguments";
import { lastWarp, lineOfBlock } from "./machine/block-state";
import { collectCounters } from "./machine/counters";
import { FaultError } from "./findings/faults";
import { Machine, mostResident, planMachine } from "./machine/machine";
import { type LaunchResult, Residents } from "./machine/residents";
import { Limits } from "./machine/scheduler";
import { gridWorkspace } from "./machine/workspace";
import type { LaunchOutcome, LaunchRequest } from "./machine/types";

const maximumThreads = 1024;
/** Largest shared memory of any architecture that we know, with room for opt-in sizes. */
const maximumShared = 232_448;

/**
 * Limits of a launch (CUDA C++ Programming Guide, compute capabilities). Undefined when the launch is legal.
 */
function invalidLaunch(kernel: CompiledKernel, request: LaunchRequest): string | undefined {
  const { grid, block } = request;
  const [limitX, limitYz] = [2 ** 31 - 1, 65_535];
  const whole = (value: number, most: number): boolean =>
    Number.isSafeInteger(value) && value >= 1 && value <= most;
  if (!whole(grid[0], limitX) || !whole(grid[1], limitYz) || !whole(grid[2], limitYz))
    return `the grid (${grid.join(", ")}) is out of range`;
  if (!whole(block[0], 1024) || !whole(block[1], 1024) || !whole(block[2], 64))
    return `the block (${block.join(", ")}) is out of range`;
  const threads = block[0] * block[1] * block[2];
  if (threads > maximumThreads) return `${threads} threads a block are more than ${maximumThreads}`;
  const limit = kernel.maxThreads && kernel.maxThreads[0] * kernel.maxThreads[1] * kernel.maxThreads[2];
  if (limit !== undefined && threads > limit)
    return `${threads} threads a block are more than the kernel's launch bound of ${limit}`;
  const required = kernel.requiredThreads;
  if (required && required.some((size, axis) => size !== block[axis]))
    return `the kernel has to be launched with a block of (${required.join(", ")})`;
  const shared = kernel.sharedBytes + request.dynamicSharedBytes;
  if (!whole(request.dynamicSharedBytes + 1, maximumShared) || shared > maximumShared)
    return `${shared} bytes of shared memory are more than ${maximumShared}`;
  const blocks = grid[0] * grid[1] * grid[2];
  const resident = mostResident(kernel, request);
  if (request.cooperative && blocks > resident)
    return `${blocks} blocks of a cooperative launch are more than the ${resident} that the GPU holds at once`;
  return checkArguments(kernel.parameters, request.arguments);
}

/**
 * Bytes of working memory that a launch needs beside the allocations: registers, local and shared memory of
 * the blocks at work, counters.
 */
export function launchBytes(kernel: CompiledKernel, request: LaunchRequest): number {
  return planMachine(kernel, request).total;
}

/**
 * Runs a kernel on the CPU, block after block, in the order of their numbers; blocks that wait for others run
 * beside them. Never throws for anything a kernel does: faults, endless loops and cancellation are outcomes.
 * Synchronous; `shouldStop` is asked between slices of work.
 */
export function launch(kernel: CompiledKernel, request: LaunchRequest): LaunchOutcome {
  const invalid = invalidLaunch(kernel, request);
  if (invalid !== undefined)
    return {
      kind: "fault",
      finding: { kind: "invalid-launch", message: `invalid launch: ${invalid}`, count: 1 },
      findings: [],
      warpInstructions: 0,
    };
  // Before the working memory is laid out behind all allocations.
  if (request.cooperative) gridWorkspace(request.memory);
  try {
    if (kernel.code.symbols.size > 0) request.memory.loadModule(kernel.code.ptx);
    if (kernel.code.systemCalls.has("malloc")) request.memory.heap.reserve();
    const layout = planMachine(kernel, request);
    return request.memory.withScratch(layout.total, kernel.options.detectors, (scratch) =>
      runBlocks(new Machine(kernel, request, layout, scratch)),
    );
  } catch (thrown) {
    if (thrown instanceof RangeError) return { kind: "refused", reason: `refused: ${thrown.message}` };
    throw thrown;
  }
}

function runBlocks(machine: Machine): LaunchOutcome {
  const { request, kernel } = machine;
  const [width, height, depth] = request.grid;
  const count = width * height * depth;
  const limits = new Limits(request);
  const used = (): number => limits.used;
  try {
    const residents = new Residents(machine, limits);
    const result = runRanges(request, limits, (from, to) => residents.run(from, Math.min(to, count)));
    if (result === "stopped") return { kind: "stopped", warpInstructions: used() };
    if (result === "budget") {
      return {
        kind: "budget-exceeded",
        ...spinningLine(machine),
        block: machine.coordinates,
        ...machine.sanitizer.noted(),
        warpInstructions: used(),
      };
    }
  } catch (thrown) {
    if (thrown instanceof FaultError)
      return {
        kind: "fault",
        finding: thrown.finding,
        ...machine.sanitizer.noted(),
        warpInstructions: used(),
      };
    throw thrown;
  }
  machine.sanitizer.noteUnwritten();
  const counters = kernel.options.counters ? { counters: collectCounters(machine) } : {};
  return { kind: "completed", ...counters, ...machine.sanitizer.noted(), warpInstructions: used() };
}

/** The blocks that the request names, or those that this thread gets of a shared launch. */
function runRanges(
  { share, blocks }: LaunchRequest,
  limits: Limits,
  run: (from: number, to: number) => LaunchResult,
): LaunchResult {
  if (!share) return run(blocks?.from ?? 0, blocks?.to ?? Infinity);
  for (let range = share.take(limits.used); range; range = share.take(limits.used)) {
    const result = run(range.from, range.to);
    if (result !== "completed") return result;
  }
  return "completed";
}

/** Line of the block that the warp was about to run when the budget ended. */
function spinningLine(machine: Machine): { readonly file?: string; readonly line?: number } {
  return lineOfBlock(machine, machine.view.getInt32(lastWarp(machine) + warpLayout.pc, true));
}

/** Warp-level instructions times lanes: the measure of speed. */
export function laneInstructions(warpInstructions: number): number {
  return warpInstructions * lanes;
}
