import type { CompiledKernel } from "../compile-kernel";
import { lanes, warpLayout } from "../layout";
import { launchesKernels, usesHeap } from "../library/system";
import { FaultError } from "./findings/faults";
import { collectCounters } from "./machine/counters";
import { collectExecuted } from "./machine/executed";
import { invalidLaunch } from "./invalid-launch";
import { Machine } from "./machine/machine";
import { type LaunchResult, Residents } from "./machine/residents";
import { Limits } from "./machine/scheduler";
import { lastWarp, lineOfBlock } from "./state/block-state";
import { planLaunch } from "./state/launch-plan";
import { LaunchState } from "./state/launch-state";
import type { LaunchOutcome, LaunchRequest } from "./state/types";
import { gridWorkspace } from "./state/workspace";

/**
 * Bytes of working memory that a launch needs besides the allocations: registers, local and shared memory of
 * the resident blocks, counters.
 */
export function launchBytes(kernel: CompiledKernel, request: LaunchRequest): number {
  return planLaunch(kernel, request).total;
}

/**
 * Runs a kernel on the CPU, block after block in the order of their numbers; blocks that wait for others run
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
  if (launchesKernels(kernel.code.systemCalls) && !request.follow)
    return {
      kind: "refused",
      reason: "refused: it launches kernels, which are run with a whole program only (kernelwright run)",
    };
  // Allocate first: the working memory is laid out after all allocations.
  if (request.cooperative) gridWorkspace(request.memory);
  try {
    if (kernel.code.symbols.size > 0) request.memory.loadModule(kernel.code.ptx);
    if (usesHeap(kernel.code.systemCalls)) request.memory.heap.reserve();
    const plan = planLaunch(kernel, request);
    return request.memory.withScratch(plan.total, kernel.options.detectors, (scratch) =>
      runBlocks(new Machine(new LaunchState(kernel, request, plan, scratch))),
    );
  } catch (thrown) {
    if (thrown instanceof RangeError) return { kind: "refused", reason: `refused: ${thrown.message}` };
    throw thrown;
  }
}

function runBlocks(machine: Machine): LaunchOutcome {
  const { state, sanitizer } = machine;
  const { request, kernel } = state;
  const [width, height, depth] = request.grid;
  const count = width * height * depth;
  const limits = new Limits(request);
  let ran = 0;
  const done = (): { warpInstructions: number } => ({ warpInstructions: limits.used });
  try {
    const residents = new Residents(machine, limits);
    const result = runRanges(request, limits, (from, to) => {
      ran += Math.min(to, count) - from;
      return residents.run(from, Math.min(to, count));
    });
    if (result === "stopped") return { kind: "stopped", ...done() };
    if (result === "budget") {
      const block = state.coordinates;
      return { kind: "budget-exceeded", ...spinningLine(state), block, ...sanitizer.noted(), ...done() };
    }
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    if (machine.recorder && request.faults === "report" && sanitizer.suppressed > 0)
      return { kind: "completed", accesses: machine.recorder.result(true), ...sanitizer.noted(), ...done() };
    return { kind: "fault", finding: thrown.finding, ...sanitizer.noted(), ...done() };
  }
  sanitizer.noteUnwritten();
  const counters = kernel.options.counters
    ? { counters: collectCounters(state, sanitizer.touched.crossing) }
    : {};
  const executed = request.executed === true ? { executed: collectExecuted(state, ran) } : {};
  const accesses = machine.recorder ? { accesses: machine.recorder.result(false) } : {};
  return {
    kind: "completed",
    ...counters,
    ...accesses,
    ...machine.toldTouched(),
    ...executed,
    ...sanitizer.noted(),
    ...done(),
  };
}

/** Runs the blocks that the request names, or this thread's share of them. */
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

/** Line of the code block that the last warp was about to run when the budget ended. */
function spinningLine(state: LaunchState): { readonly file?: string; readonly line?: number } {
  return lineOfBlock(state, state.view.getInt32(lastWarp(state) + warpLayout.pc, true));
}

/** Lane-level instructions: the measure of the virtual GPU's speed. */
export function laneInstructions(warpInstructions: number): number {
  return warpInstructions * lanes;
}
