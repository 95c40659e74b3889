import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { Ran } from "../../evaluation/failed-run";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge, CaseOutcome } from "../case-judge";

const tunesOnOutputs =
  "the values of the first call are wrong: the autotuner runs each configuration on the memory of that call, and what they add to it stays there. reset_to_zero or restore_value of triton.autotune names such arguments";

/** What trying the configurations comes to. */
interface Tried {
  readonly wrong?: CheckedCase;
  readonly remarks: readonly string[];
}

/**
 * The first call of an autotuned kernel, which runs all its configurations on the arguments of that call
 * before the one that is fastest: a kernel that adds to its output, or changes its input, has done so several
 * times by then.
 */
export class TriedConfigurations {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /** A case with wrong values of a candidate; of the kernel as it was a remark, since nobody changed it. */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    { configurations = 1 }: Ran,
    { tree, signal }: CheckRequest,
  ): Promise<Tried> {
    const nothing: Tried = { remarks: [] };
    if (configurations === 1) return nothing;
    const own = await this.run(planned, session, signal);
    if (own.kind !== "judged" || own.checked.passed) return nothing;
    if (tree === this.task.baseline) return { remarks: [tunesOnOutputs] };
    const before = await this.run(planned, this.judge.baseline.session, signal);
    if (before.kind === "judged" && !before.checked.passed) return { remarks: [tunesOnOutputs] };
    const { specFolder, spec } = this.task;
    const file = inFolder(specFolder, spec.file);
    const finding = { kind: "tunes-on-outputs", file, line: 0, message: tunesOnOutputs };
    return { wrong: { ...own.checked, findings: [finding, ...own.checked.findings] }, remarks: [] };
  }

  private run(planned: PlannedCase, session: KernelSession, signal: AbortSignal): Promise<CaseOutcome> {
    return this.judge.run(planned, session, { counters: false, detectors: false, tries: true, signal });
  }
}
