import {
  type CompiledKernel,
  type LaunchOutcome,
  type LaunchRequest,
  sampleOnly,
  type SampledOutcome,
  type SampleLimits,
  wholeLimit,
} from "../../../core/vgpu/index";

/** A launch that would take so many times as much as one that is counted whole is not begun in vain. */
const surelyMore = 2;
const limits: SampleLimits = {
  whole: 200_000,
  wholeOfFew: 1_000_000,
  budget: { neighbours: 600_000, spread: 150_000 },
};

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** A launch as it is run whole, and in part. */
interface SampledLaunch {
  readonly kernel: CompiledKernel;
  /** The launch, which ends after so many instructions. */
  readonly whole: (instructionBudget: number) => LaunchOutcome;
  readonly request: LaunchRequest;
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
    const limit = wholeLimit(launch.request.grid, limits);
    if ((this.perBlock.get(key) ?? 0) * blocks <= surelyMore * limit) {
      const whole = launch.whole(limit);
      if (whole.kind === "completed") this.perBlock.set(key, whole.warpInstructions / blocks);
      if (whole.kind !== "budget-exceeded") return whole;
    }
    const counted = sampleOnly(launch.kernel, launch.request, limits);
    if (counted.kind !== "completed" || counted.counters === undefined) return counted;
    this.perBlock.set(key, counted.counters.totals.instructions / blocks);
    if ("sample" in counted) this.count += 1;
    return counted;
  }
}

/** What the blocks of a sampled launch load in common, and which ran; nothing where all were counted. */
export function sampleOf(
  outcome: Completed | SampledOutcome,
): Pick<SampledOutcome, "sharing" | "sample" | "executed"> {
  const { executed } = outcome;
  return {
    ...("sharing" in outcome && outcome.sharing && { sharing: outcome.sharing }),
    ...("sample" in outcome && outcome.sample && { sample: outcome.sample }),
    ...(executed && { executed }),
  };
}
