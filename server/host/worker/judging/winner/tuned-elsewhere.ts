import { OperationalError } from "../../../../core/base/operational-error";
import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import {
  largestOf,
  type PlannedCase,
  type ResolvedShape,
  resolveShape,
  smallestOf,
} from "../../evaluation/case-shapes";
import type { Ran } from "../../evaluation/failed-run";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge, CaseOutcome } from "../case-judge";

const tunedElsewhere =
  "the values are wrong in the configuration that the autotuner has chosen for another shape: the key of triton.autotune leaves out a size that a configuration is not made for, so that both shapes take one choice";

/**
 * Calls of an autotuned kernel that its autotuner takes for the call before: the key names some of the sizes,
 * and a shape that agrees in these gets the configuration of whichever was called first.
 */
export class TunedElsewhere {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
    private readonly shapes: readonly ResolvedShape[],
  ) {}

  /**
   * The largest shape behind one that is smaller in a single size, for which the autotuner chooses anew. A
   * case with wrong values of a candidate, where the kernel as it was is right there.
   */
  async check(
    session: KernelSession,
    { configurations = 1 }: Ran,
    { signal }: CheckRequest,
  ): Promise<CheckedCase | undefined> {
    if (configurations === 1 || this.task.spec.run.kind === "launch") return undefined;
    const largest: PlannedCase = { shape: largestOf(this.shapes), variant: "declared" };
    for (const shape of this.smallerInOne(largest.shape)) {
      const before: PlannedCase = { shape, variant: "declared" };
      // A shape that nobody listed may be none that the kernel is for.
      if (!(await this.judge.baseline.passes(before, signal))) continue;
      const wrong = await this.behind(before, largest, session, signal);
      if (wrong === undefined) continue;
      const original = await this.behind(before, largest, this.judge.baseline.session, signal);
      if (original !== undefined) continue;
      const { specFolder, spec } = this.task;
      const file = inFolder(specFolder, spec.file);
      const finding = { kind: "tuned-elsewhere", file, line: 0, message: tunedElsewhere };
      return { ...wrong, passed: false, findings: [finding, ...wrong.findings] };
    }
    return undefined;
  }

  /** The wrong case of `planned` in the configuration chosen for `before`; undefined where it is right. */
  private async behind(
    before: PlannedCase,
    planned: PlannedCase,
    session: KernelSession,
    signal: AbortSignal,
  ): Promise<CheckedCase | undefined> {
    const manner = { counters: false, detectors: false, signal };
    // What tuning does to the memory of its own call is looked at elsewhere.
    const tuned = await this.judge.run(before, session, { ...manner, tries: true });
    if (tuned.kind !== "judged") return undefined;
    const outcome: CaseOutcome = await this.judge.run(planned, session, manner);
    return outcome.kind === "judged" && !outcome.checked.passed ? outcome.checked : undefined;
  }

  /** The largest shape with one of its sizes as in the smallest, for each that differs. */
  private smallerInOne({ shape }: ResolvedShape): readonly ResolvedShape[] {
    const { sizes } = smallestOf(this.shapes).shape;
    return Object.entries(sizes).flatMap(([name, size]) => {
      if (size === shape.sizes[name]) return [];
      return this.resolved({ ...shape.sizes, [name]: size });
    });
  }

  private resolved(sizes: Readonly<Record<string, number>>): readonly ResolvedShape[] {
    try {
      return [resolveShape(this.task.spec, { sizes })];
    } catch (thrown) {
      // A size expression that has no value for sizes that nobody wrote says nothing.
      if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return [];
      throw thrown;
    }
  }
}
