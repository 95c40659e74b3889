import type { KernelCounters } from "../../../core/timing/counters";
import type { Sharing } from "../../../core/timing/sample/representative";
import {
  type CompiledKernel,
  countRepresentative,
  type LaunchOutcome,
  type SampleBudget,
} from "../../../core/vgpu/index";

/** Warp-level instructions of a launch that is counted whole. */
const mostWhole = 200_000;
/** Few blocks differ more, so that a part of them says little of the others. */
const fewBlocks = 256;
const mostWholeOfFew = 1_000_000;
/** A launch that would take so many times as much is not begun in vain. */
const surelyMore = 2;
const budget: SampleBudget = { neighbours: 400_000, spread: 150_000 };

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** A counted launch of which some blocks ran. */
export type SampledOutcome = Completed & { readonly sharing?: Sharing };

/** A launch as it is run whole, and in part. */
interface SampledLaunch {
  readonly kernel: CompiledKernel;
  /** The launch, which ends after so many instructions. */
  readonly whole: (instructionBudget: number) => LaunchOutcome;
  readonly request: Parameters<typeof countRepresentative>[1];
}

/**
 * Counts launches of which only the time is asked for: short ones whole, of long ones a sample of blocks. How
 * long a kernel's blocks take is remembered, so that a benchmark does not begin each long launch in vain.
 */
export class SampledLaunches {
  /** Launches of which a sample was counted. */
  count = 0;
  /** Warp-level instructions of a block when the kernel was last launched. */
  private readonly perBlock = new Map<string, number>();

  /** `key`: equal for launches of one kernel. */
  run(key: string, launch: SampledLaunch): LaunchOutcome | SampledOutcome {
    const [x, y, z] = launch.request.grid;
    const blocks = x * y * z;
    const limit = blocks <= fewBlocks ? mostWholeOfFew : mostWhole;
    if ((this.perBlock.get(key) ?? 0) * blocks <= surelyMore * limit) {
      const whole = launch.whole(limit);
      if (whole.kind === "completed") this.perBlock.set(key, whole.warpInstructions / blocks);
      if (whole.kind !== "budget-exceeded") return whole;
    }
    const counted = countRepresentative(launch.kernel, launch.request, budget);
    if (counted.kind !== "counted") return counted;
    const { counters, countedBlocks, sharing } = counted.result;
    this.perBlock.set(key, counters.totals.instructions / blocks);
    if (countedBlocks < blocks) this.count += 1;
    return {
      ...completed(counters, (counters.totals.instructions * countedBlocks) / blocks),
      ...(sharing && { sharing }),
    };
  }
}

function completed(counters: KernelCounters, warpInstructions: number): Completed {
  return { kind: "completed", counters, findings: [], warpInstructions: Math.round(warpInstructions) };
}

/** What the blocks of a sampled launch load in common; nothing where all were counted. */
export function sharingOf(outcome: Completed | SampledOutcome): { readonly sharing?: Sharing } {
  return "sharing" in outcome && outcome.sharing ? { sharing: outcome.sharing } : {};
}
