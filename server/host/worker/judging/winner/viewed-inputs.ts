import type { CheckedCase, Finding } from "../../../../core/judge/verdict";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase } from "../../evaluation/case-shapes";
import { type FailedRun, whyNot } from "../../evaluation/failed-run";
import type { KernelSession, ViewKind } from "../../evaluation/kernel-runner";
import { inFolder, type OracleCase } from "../../evaluation/oracle-session";
import type { CaseJudge, Manner } from "../case-judge";

/** One input given as a view. */
interface Viewed {
  readonly input: string;
  readonly as: ViewKind;
}

/** What a version made of an input that is a view. */
type Made = "right" | "wrong" | "raised" | FailedRun;

const lies: Readonly<Record<ViewKind, string>> = {
  sliced: "the columns from the middle of a wider tensor",
  turned: "a tensor with its last two axes exchanged",
  stepped: "every second element of a longer tensor",
};

/**
 * Inputs of a Python entry whose elements do not lie one behind the other, one input at a time. Where the
 * kernel as it was is right on such a view, because its host code hands strides over or copies, a version
 * that gives other values has forgotten them. One that raises tells its caller: that is said, no more.
 */
export class ViewedInputs {
  /** Whether the kernel as it was is right. */
  private readonly counting = new Map<string, boolean>();

  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /** The case with what is wrong, or with a remark; undefined where there is neither. */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    manner: Manner,
  ): Promise<CheckedCase | undefined> {
    if (session.takesViews !== true) return undefined;
    const { shape } = planned;
    const changed = new Set(shape.outputs.map(({ name }) => name));
    const inputs = shape.inputs.filter(({ name }) => !changed.has(name));
    const views = inputs.flatMap(({ name, shape: extents }) =>
      kindsFor(extents).map((as): Viewed => ({ input: name, as })),
    );
    const found = await this.judge.baseline.withInputs(planned, manner.signal, (prepared) =>
      this.firstOf(
        views,
        async (viewed, of) => this.madeBy(of, { planned, prepared, viewed, manner }),
        session,
      ),
    );
    if (found === undefined || !("viewed" in found)) return undefined;
    const judged = await this.judge.run(planned, session, manner);
    if (judged.kind !== "judged") return undefined;
    return this.told(judged.checked, found);
  }

  /** The first view that a version is wrong on, or else that it refuses. */
  private async firstOf(
    views: readonly Viewed[],
    make: (viewed: Viewed, of: KernelSession) => Promise<Made>,
    session: KernelSession,
  ): Promise<Found | undefined> {
    let refused: Found | undefined;
    for (const viewed of views) {
      const key = `${viewed.input} ${viewed.as}`;
      if (this.counting.get(key) === false) continue;
      const made = await make(viewed, session);
      if (made === "right") continue;
      const counts = this.counting.get(key) ?? (await make(viewed, this.judge.baseline.session)) === "right";
      this.counting.set(key, counts);
      if (!counts) continue;
      if (made !== "raised") return { viewed, made };
      refused ??= { viewed, made };
    }
    return refused;
  }

  private async madeBy(session: KernelSession, { planned, prepared, viewed, manner }: MadeOf): Promise<Made> {
    const { shape } = planned;
    const run = await session.run({ ...manner, shape, inputs: prepared.inputs, viewed });
    if (run.kind === "ran") {
      const isRight = await this.judge.baseline.isRight(prepared, run.outputs, manner.signal);
      return isRight && run.findings.length === 0 ? "right" : "wrong";
    }
    const isRaised = run.kind === "did-not-run" && run.findings.every(({ kind }) => kind === "exception");
    return isRaised ? "raised" : run;
  }

  private told(checked: CheckedCase, { viewed: { input, as }, made }: Found): CheckedCase {
    const where = `where ${input} is ${lies[as]}`;
    if (made === "raised") {
      const remark = `the version raises an exception ${where}, which the kernel as it was takes`;
      return { ...checked, remarks: [...(checked.remarks ?? []), remark] };
    }
    const what = typeof made === "string" ? "the values are wrong" : `the run fails (${whyNot(made)})`;
    const { specFolder, spec } = this.task;
    const finding: Finding = {
      kind: "forgets-strides",
      file: inFolder(specFolder, spec.file),
      line: 0,
      message: `${what} ${where}, as a caller may hand it over, where the kernel as it was is right: it takes for granted how the elements lie (stride(), contiguous())`,
    };
    return { ...checked, passed: false, findings: [finding, ...checked.findings] };
  }
}

interface Found {
  readonly viewed: Viewed;
  readonly made: Exclude<Made, "right">;
}

interface MadeOf {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly viewed: Viewed;
  readonly manner: Manner;
}

/** The views that a tensor of these extents can be. */
function kindsFor(extents: readonly number[]): readonly ViewKind[] {
  if (extents.length === 0 || extents.includes(0)) return [];
  return extents.length === 1 ? ["stepped"] : ["sliced", "turned"];
}
