import type { CheckedCase, Finding } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import { gradientsSpec } from "../../../../core/workload/entry/gradients-spec";
import { type PlannedCase, resolveShape } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge } from "../case-judge";

/** A program that says itself what the gradient of a function is. */
const definesGradients = /\bautograd\.Function\b|\bregister_autograd\b|\bimport\s+Function\b/;

/** Draws of inputs on which gradients are compared; those of one side show a sign that was left out. */
const variants = ["declared", "declared", "one-sided"] as const;

const otherGradients =
  "the gradients that its backward pass gives (torch.autograd.Function) are other ones than those of the kernel as it was: what is trained with it goes elsewhere";

/** A judge of a task, for as long as it is needed. */
export interface LentJudge {
  readonly judge: CaseJudge;
  readonly close: () => Promise<void>;
}

/**
 * A version of a function that has a gradient of its own: its results have to lead back to each input that
 * those of the original lead back to, and the gradients have to be the same.
 */
export class Gradients {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
    private readonly judgeOf: ((task: EvaluationTask) => LentJudge) | undefined,
  ) {}

  /** The case with what is wrong of the gradients; undefined where nothing is, or there are none. */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    { tree, signal }: Pick<CheckRequest, "tree" | "signal">,
  ): Promise<CheckedCase | undefined> {
    const { spec, baseline } = this.task;
    if (spec.run.kind !== "entry") return undefined;
    if (!Object.values(baseline).some((text) => definesGradients.test(text))) return undefined;
    const before = (await this.reached(planned, this.judge.baseline.session, signal))?.["own-gradients-of"];
    const behind = before === undefined ? undefined : await this.reached(planned, session, signal);
    if (before === undefined || behind === undefined) return undefined;
    const names = Object.keys(spec.inputs);
    const own = before.split(",");
    const now = behind["gradients-of"]?.split(",") ?? [];
    const named = (places: readonly string[]): readonly string[] =>
      places.map((place) => names[Number(place)] ?? "?");
    const lost = named(own.filter((place) => !now.includes(place)));
    if (lost.length > 0) return this.withFinding(planned, session, leftOut(lost.join(", ")), signal);
    return this.compared(planned, named(own), { tree, signal });
  }

  /** Which inputs a call's results lead back to; none of whoever raises where inputs require gradients. */
  private async reached(
    planned: PlannedCase,
    of: KernelSession,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const run = await this.judge.runOnOthers(planned, of, { callerSeed: 0, gradients: true, signal });
    if (run.kind === "ran") return run.behind;
    return run.kind === "did-not-run" ? {} : undefined;
  }

  private async withFinding(
    planned: PlannedCase,
    session: KernelSession,
    { kind, message }: Pick<Finding, "kind" | "message">,
    signal: AbortSignal,
  ): Promise<CheckedCase | undefined> {
    const outcome = await this.judge.run(planned, session, { counters: false, detectors: false, signal });
    if (outcome.kind !== "judged") return undefined;
    return this.told(outcome.checked, { kind, message });
  }

  private told(checked: CheckedCase, { kind, message }: Pick<Finding, "kind" | "message">): CheckedCase {
    const file = inFolder(this.task.specFolder, this.task.spec.file);
    const findings = [{ kind, file, line: 0, message }, ...checked.findings];
    return { ...checked, passed: false, findings };
  }

  /** The gradients as outputs of a task of their own, where those of the original pass as such. */
  private async compared(
    { shape }: PlannedCase,
    inputs: readonly string[],
    { tree, signal }: Pick<CheckRequest, "tree" | "signal">,
  ): Promise<CheckedCase | undefined> {
    const spec = gradientsSpec(this.task.spec, inputs, shape.shape);
    const lent = spec && this.judgeOf?.({ ...this.task, spec });
    if (spec === undefined || lent === undefined) return undefined;
    const { judge } = lent;
    const session = judge.start(tree);
    const resolved = resolveShape(spec, spec.shapes[0] ?? shape.shape);
    try {
      for (const variant of variants) {
        const planned = { shape: resolved, variant };
        if (!(await judge.baseline.passes(planned, signal))) continue;
        const manner = { counters: false, detectors: true, signal };
        const outcome = await judge.runFurther(planned, session, manner);
        // How much of a backward pass torch computes is left to whoever writes it.
        if (outcome.kind !== "judged" || !isWrong(outcome.checked)) continue;
        return this.told(outcome.checked, { kind: "other-gradients", message: otherGradients });
      }
      return undefined;
    } finally {
      await session.close();
      await lent.close();
    }
  }
}

function isWrong({ mismatch, findings }: CheckedCase): boolean {
  return mismatch !== undefined || findings.some(({ kind }) => kind !== "host-computed");
}

function leftOut(those: string): Pick<Finding, "kind" | "message"> {
  return {
    kind: "gradient-left-out",
    message: `the results have no gradient with respect to ${those} any more, which the kernel as it was gives (torch.autograd.Function): what is trained with it stands still`,
  };
}
