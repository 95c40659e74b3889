import { mergeCounters, type KernelCounters } from "../../../core/timing/counters";
import type { LaunchProfile, LaunchShape } from "../../../core/timing/launch-profile";
import type { LaunchModel } from "../../../core/timing/execution/launch-model";
import type { CompiledFacts, Finding } from "../../../core/judge/verdict";
import type { LaunchResult } from "../gpu/virtual-gpu";
import type { CapturedLaunch } from "./captured-launch";
import type { RunOutcome } from "../evaluation/kernel-runner";

const threadsPerWarp = 32;

/** The part of an outcome that sums up the launches of a run. */
type LaunchSummary = Pick<
  Extract<RunOutcome, { kind: "ran" }>,
  "remarks" | "launches" | "models" | "facts" | "findings" | "counters"
>;

/** How a launch ended, and its simulation where that was asked for. */
type RecordedResult = Extract<LaunchResult, { kind: "done" }> & {
  readonly models?: readonly LaunchModel[];
};

/** What is known of the completed launches of one run, and what the verdict says beside. */
export class LaunchRecord {
  readonly findings: Finding[] = [];
  private readonly models: LaunchModel[] = [];
  private readonly remarks = new Set<string>();
  private readonly launched: {
    readonly name: string;
    readonly facts: CompiledFacts;
    readonly counters: KernelCounters | undefined;
    readonly profile: LaunchProfile | undefined;
  }[] = [];

  /** Sentences for the verdict; each is said once. */
  remark(sentences: readonly string[]): void {
    for (const sentence of sentences) this.remarks.add(sentence);
  }

  add(launch: CapturedLaunch, facts: CompiledFacts, result: RecordedResult): void {
    const { counters, models = [] } = result;
    this.models.push(...models);
    this.findings.push(...result.findings.filter((finding) => !isReplica(finding)));
    this.remark(result.remarks ?? []);
    this.launched.push({
      name: launch.name,
      facts,
      counters,
      profile: counters && profileOf(launch, facts, counters),
    });
  }

  /** Whether no launch has completed. */
  get isEmpty(): boolean {
    return this.launched.length === 0;
  }

  /** `further`: findings about the run as a whole. */
  summary(further: readonly Finding[]): LaunchSummary {
    const counters = this.launched.flatMap((launch) => launch.counters ?? []);
    return {
      remarks: [...this.remarks],
      ...(this.models.length > 0 ? { models: this.models } : {}),
      launches: this.launched.flatMap((launch) => launch.profile ?? []),
      facts: distinct(this.launched.map((launch) => launch.facts)),
      findings: [...this.findings, ...further],
      counters: counters.length === 0 ? undefined : mergeCounters(counters),
    };
  }
}

/**
 * Triton lays shared memory out itself. Where a value has fewer elements than the block has threads, several
 * threads store the same element at once, and a fused multiplication may round it differently in each: that
 * is the compiler's doing, and no line of the user's can change it.
 */
function isReplica({ kind, line, message, other }: Finding): boolean {
  return (
    kind === "shared-race" && other?.access === "write" && other.line === line && message.includes(" writes ")
  );
}

function profileOf(launch: CapturedLaunch, facts: CompiledFacts, counters: KernelCounters): LaunchProfile {
  return {
    kernel: facts.kernel,
    counters: counters.totals,
    ...launchShape(launch, facts),
  };
}

/** How a launch of Triton's was shaped. */
export function launchShape(launch: CapturedLaunch, facts: CompiledFacts): LaunchShape {
  return {
    blocks: launch.grid.reduce((product, size) => product * size, 1),
    threadsPerBlock: launch.warps * threadsPerWarp,
    registersPerThread: facts.registers,
    sharedBytes: facts.sharedBytes,
    footprintBytes: launch.buffers.reduce((sum, buffer) => sum + buffer.bytes.byteLength, 0),
  };
}

function distinct(facts: readonly CompiledFacts[]): readonly CompiledFacts[] {
  return [...new Map(facts.map((each) => [JSON.stringify(each), each])).values()];
}
