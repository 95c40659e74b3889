import { availableParallelism } from "node:os";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { CheckRequest } from "../../../core/ports/evaluator";
import type { FailedRun } from "../evaluation/failed-run";
import { HardwareCalls } from "./hardware-calls";
import type { CallOptions, HardwarePair } from "./hardware-cases";
import type { HardwareSessions } from "./hardware-sessions";
import type { CallProblem } from "./secret-comparisons";
import { HeldTime } from "./timed/held-time";

export interface PairOptions extends Pick<CallOptions, "task" | "oracle" | "limitSeconds"> {
  readonly sessions: HardwareSessions;
}

/** With so many processors, processes that are started ahead keep nobody waiting. */
const coresToSpare = 8;

/** The processes of the baseline and of a candidate, from their start to their end. */
export class HardwarePairs {
  /** For how long the GPU was kept for them. */
  readonly held = new HeldTime();

  constructor(private readonly options: PairOptions) {}

  /** Begins what a check needs later, while the virtual GPU looks at the candidate. */
  prepare(request: CheckRequest): void {
    this.options.sessions.prepare(this.processesOf(request), request.signal);
  }

  /** Whether it is the baseline itself that is judged. */
  isAlone({ tree }: CheckRequest): boolean {
    const { baseline } = this.options.task;
    return treeKey({ ...baseline, ...tree }) === treeKey(baseline);
  }

  /** The processes of both sides; nothing of them is on the GPU yet. */
  async started(request: CheckRequest): Promise<Outcome<HardwarePair, FailedRun>> {
    const { sessions, task } = this.options;
    const { tree, signal } = request;
    const baseline = await sessions.start(task.baseline, signal);
    if (!baseline.ok || this.isAlone(request))
      return baseline.ok ? succeed({ baseline: baseline.value }) : baseline;
    try {
      const candidate = await sessions.start(tree, signal);
      if (candidate.ok) return succeed({ baseline: baseline.value, candidate: candidate.value });
      await baseline.value.close();
      return candidate;
    } catch (thrown) {
      await baseline.value.close();
      throw thrown;
    }
  }

  /** Starts a pair, uses it and ends it. */
  async with<Value>(
    request: CheckRequest,
    use: (calls: HardwareCalls) => Promise<Outcome<Value, CallProblem>>,
  ): Promise<Outcome<Value, CallProblem>> {
    const pair = await this.started(request);
    if (!pair.ok) return fail({ kind: "failed", failed: pair.problem });
    try {
      return await this.using(pair.value, request.signal, use);
    } finally {
      await closePair(pair.value);
    }
  }

  /** Uses a pair on the GPU, which is kept for it. */
  async using<Value>(
    pair: HardwarePair,
    signal: AbortSignal,
    use: (calls: HardwareCalls) => Promise<Outcome<Value, CallProblem>>,
  ): Promise<Outcome<Value, CallProblem>> {
    pair.baseline.enter(signal);
    pair.candidate?.enter(signal);
    const calls = new HardwareCalls({ ...this.options, pair, signal });
    try {
      return await use(calls);
    } finally {
      await calls.close();
    }
  }

  /**
   * Whose processes a check needs: with those that find a win a second time, where it costs little to start
   * them ahead.
   */
  private processesOf(request: CheckRequest): readonly SourceTree[] {
    const { baseline } = this.options.task;
    const { tree, tier } = request;
    if (this.isAlone(request)) return [baseline];
    const pair = [baseline, tree];
    return tier === "full" && availableParallelism() >= coresToSpare ? [...pair, ...pair] : pair;
  }
}

/** Ends what it has not ended yet. */
export async function closePair({ baseline, candidate }: HardwarePair): Promise<void> {
  await Promise.all([baseline.close(), candidate?.close()]);
}
