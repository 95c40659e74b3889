import type { Tier } from "../../../core/judge/verdict";
import type { CheckRequest } from "../../../core/ports/evaluator";
import type { PricedRun } from "../../../core/workload/cases/priced-sizes";
import type { KernelSpec } from "../../../core/workload/spec";
import { type PlannedCase, pricedShape, type ResolvedShape } from "../evaluation/case-shapes";
import type { KernelSession, RunOutcome, RunRequest } from "../evaluation/kernel-runner";
import type { OracleSession } from "../evaluation/oracle-session";
import type { BaselineCases } from "../judging/baseline-cases";

/** What a price is asked for with. */
type PriceRequest = Pick<CheckRequest, "model" | "signal">;

/** What a call is counted with. */
type CountRequest = Pick<RunRequest, "model" | "signal"> & Partial<Pick<RunRequest, "detectors">>;

/**
 * The shape that a task is priced at, which no other case has. Of its long launches some blocks are counted:
 * its values are compared in one case of the full check, by a run of all blocks that counts nothing.
 */
export class PricedShape {
  /** A call makes several launches, of which one may work on what another one has left: all blocks run. */
  private isChain = false;

  constructor(
    readonly shape: ResolvedShape,
    private readonly oracle: OracleSession,
  ) {}

  /** Undefined where the price is that of the first shapes. Throws `spec-invalid`. */
  static of(spec: KernelSpec, oracle: OracleSession): PricedShape | undefined {
    const shape = pricedShape(spec);
    return shape && new PricedShape(shape, oracle);
  }

  /** The case in which values are compared at these sizes. */
  get planned(): PlannedCase {
    return { shape: this.shape, variant: "declared" };
  }

  cases(tier: Tier): readonly PlannedCase[] {
    return tier === "full" ? [this.planned] : [];
  }

  /** Counts a call on new inputs, and simulates its time. */
  run(session: KernelSession, { model, signal }: PriceRequest): Promise<RunOutcome> {
    return this.counted(session, { model: model === true ? "whole" : "briefly", signal });
  }

  /** Counts a call on new inputs; its time is simulated where `model` asks for that. */
  async counted(
    session: KernelSession,
    { signal, model, detectors = false }: CountRequest,
  ): Promise<RunOutcome> {
    const { shape, oracle } = this;
    const made = await oracle.make(shape, "declared", signal);
    const counted = (sampled: boolean): Promise<RunOutcome> =>
      session.run({
        ...{ shape, inputs: made.inputs, counters: true, detectors: detectors && sampled, signal, sampled },
        ...(model && { model }),
      });
    try {
      if (!this.isChain) {
        const run = await counted(true);
        // What fails may have gone on with what a launch has left that ran in part.
        if (run.kind === "ran" && run.launches.length <= 1) return run;
        this.isChain = run.kind === "ran";
      }
      return await counted(false);
    } finally {
      await oracle.forget(made);
    }
  }
}

/** What a call of the baseline with some sizes takes; undefined where it fails or finds a fault. */
export async function priceOf(
  { oracle, session }: BaselineCases,
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<PricedRun | undefined> {
  const run = await new PricedShape(shape, oracle).counted(session, { detectors: true, signal });
  if (run.kind !== "ran" || run.findings.length > 0) return undefined;
  const { launches } = run;
  return {
    threads: Math.max(0, ...launches.map(({ blocks, threadsPerBlock }) => blocks * threadsPerBlock)),
    instructions: launches.reduce((sum, { counters }) => sum + counters.instructions, 0),
  };
}
