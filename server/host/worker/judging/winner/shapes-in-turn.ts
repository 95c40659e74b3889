import type { CheckedCase } from "../../../../core/judge/verdict";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { largestOf, type PlannedCase, type ResolvedShape } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge, Manner } from "../case-judge";

/** Shapes beside the largest that are called between two calls of that. */
const mostOthers = 3;

const keepsState =
  "the values are wrong behind a call of another shape, and right behind calls of the same one: a call relies on what calls of its own kind have left";

/**
 * Calls of a function in one process, of shapes in turn: the largest, another one, the largest again. What a
 * call keeps for the next one of its shape may be what a call of another shape has changed.
 */
export class ShapesInTurn {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
    private readonly shapes: readonly ResolvedShape[],
  ) {}

  /**
   * The first case that is wrong for the calls before it; undefined where there is none, or the kernel as it
   * was is wrong there too. Of a kernel that its spec launches directly every run begins anew.
   */
  async check(session: KernelSession, manner: Manner): Promise<CheckedCase | undefined> {
    if (this.task.spec.run.kind === "launch") return undefined;
    const wrong = await this.wrongOf(session, manner);
    if (wrong === undefined) return undefined;
    if ((await this.wrongOf(this.judge.baseline.session, manner)) !== undefined) return undefined;
    const { specFolder, spec } = this.task;
    const finding = {
      kind: "keeps-state",
      file: inFolder(specFolder, spec.file),
      line: 0,
      message: keepsState,
    };
    return { ...wrong, passed: false, findings: [finding, ...wrong.findings] };
  }

  private async wrongOf(session: KernelSession, manner: Manner): Promise<CheckedCase | undefined> {
    for (const shape of this.turns()) {
      const planned: PlannedCase = { shape, variant: "declared" };
      const outcome = await this.judge.run(planned, session, manner);
      // What does not run here, or has no reference, says nothing of what is kept.
      if (outcome.kind !== "judged") return undefined;
      if (!outcome.checked.passed) return outcome.checked;
    }
    return undefined;
  }

  private turns(): readonly ResolvedShape[] {
    const largest = largestOf(this.shapes);
    const others = this.shapes.filter((each) => each !== largest).slice(0, mostOthers);
    return others.length === 0 ? [] : [largest, ...others.flatMap((each) => [each, largest])];
  }
}
