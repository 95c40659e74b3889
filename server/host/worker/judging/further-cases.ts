import { OperationalError } from "../../../core/base/operational-error";
import { furtherShapes, longShapes } from "../../../core/workload/cases/further-shapes";
import type { ShapeCase } from "../../../core/workload/spec";
import {
  evenVariants,
  exactingVariants,
  furtherVariants,
  levelVariants,
  specialVariants,
} from "../../../core/judge/further-variants";
import type { CheckedCase, InputVariant } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { type PlannedCase, type ResolvedShape, resolveShape, smallestOf } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { BaselineCases } from "./baseline-cases";
import type { CaseJudge, Manner } from "./case-judge";
import { directions } from "./rounding";
import { BeyondListed } from "./winner/beyond-listed";
import { findSelections } from "./winner/selections";

/** Inputs for which the original has to be accurate, not only right. */
const accurateThere: ReadonlySet<InputVariant> = new Set([
  ...(["far-from-zero", "arranged", "cancelling", "like"] as const),
  ...(["ends", "least", "greatest", "crowded"] as const),
]);

/** Seeds with special values that the baseline passes, so that it did not pass by luck. */
const specialSeeds = 3;

/**
 * Cases beyond those of the spec, for winners: other shapes and other values. One counts where the kernel as
 * it was passes it; that is found out once.
 */
export class FurtherCases {
  private known: Promise<readonly PlannedCase[]> | undefined;
  /** Outputs that select numbers of inputs. */
  private selecting: readonly string[] = [];
  /** Shapes of which it is found out later, where that is needed, whether they count. */
  readonly beyond: BeyondListed;

  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: Pick<CaseJudge, "baseline" | "oracle">,
  ) {
    const isAccurate = this.staysAccurate.bind(this);
    this.beyond = new BeyondListed(task, { baseline: judge.baseline, isAccurate });
  }

  private get baseline(): BaselineCases {
    return this.judge.baseline;
  }

  /** The cases that the baseline passes. */
  async passed(first: ResolvedShape, signal: AbortSignal): Promise<readonly PlannedCase[]> {
    const finding = (this.known ??= this.find(first, signal));
    finding.catch(() => (this.known = undefined));
    return finding;
  }

  private async find(first: ResolvedShape, signal: AbortSignal): Promise<readonly PlannedCase[]> {
    this.selecting = await findSelections(this.task, this.judge, signal);
    const smallest = smallestOf(this.task.spec.shapes.map((shape) => resolveShape(this.task.spec, shape)));
    const groups: PlannedCase[][] = [
      ...furtherVariants(this.task.spec).map((variant) => [{ shape: first, variant }]),
      ...this.exacting(first),
      ...furtherShapes(this.task.spec).map((group) => group.flatMap((shape) => this.planned(shape))),
      ...[levelVariants, specialVariants, evenVariants]
        .flatMap((variantsOf) => variantsOf(this.task.spec))
        .map((variant) => [{ shape: smallest, variant }]),
    ];
    const passed: PlannedCase[] = [];
    for (const group of groups) {
      for (const planned of group) {
        if (!(await this.isAlwaysPassed(planned, signal))) continue;
        passed.push(planned);
        break;
      }
    }
    return passed;
  }

  private planned(shape: ShapeCase): readonly PlannedCase[] {
    try {
      return [{ shape: resolveShape(this.task.spec, shape), variant: "declared" }];
    } catch (thrown) {
      // A size expression that has no value for sizes that nobody wrote says nothing.
      if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return [];
      throw thrown;
    }
  }

  private async isAlwaysPassed(planned: PlannedCase, signal: AbortSignal): Promise<boolean> {
    const isSpecial = specialVariants(this.task.spec).some((variant) => variant === planned.variant);
    for (let seed = 0; seed < (isSpecial ? specialSeeds : 1); seed += 1)
      if (!(await this.baseline.passes(planned, signal))) return false;
    const { inputs, outputs } = this.task.spec;
    const isRounded = [inputs, outputs].some((each) =>
      Object.values(each).some(({ dtype }) => dtype.includes("float")),
    );
    if (isRounded && accurateThere.has(planned.variant)) return this.staysAccurate(planned, signal);
    const isOfFloats = Object.values(outputs).every(({ dtype }) => dtype.includes("float"));
    if (planned.variant !== "all-bits" || !isOfFloats) return true;
    return !(await this.dependsOnConversions(planned, signal));
  }

  /**
   * Whether the original is accurate on a case's inputs: neither the direction in which its operations are
   * rounded nor the last bits of its inputs move a result by what a version may be off. Of arranged
   * ones, and of other shapes, the last bits may count where all results are whole, or numbers of the inputs.
   */
  private async staysAccurate(planned: PlannedCase, signal: AbortSignal): Promise<boolean> {
    const { session } = this.baseline;
    const manner = { shape: planned.shape, counters: false, detectors: false, signal };
    const stays = await this.baseline.withInputs(planned, signal, async (prepared) => {
      const isRight = async (run: ReturnType<KernelSession["run"]>): Promise<boolean> => {
        const ran = await run;
        return ran.kind === "ran" && this.baseline.isRight(prepared, ran.outputs, signal);
      };
      const { inputs } = prepared;
      for (const arithmetic of directions)
        if (!(await isRight(session.run({ ...manner, inputs, arithmetic })))) return false;
      if (!this.isMoved(planned)) return true;
      const { oracle } = this.judge;
      const moved = await oracle.derive(prepared, { method: "move", way: "any" }, signal);
      try {
        return await isRight(session.run({ ...manner, inputs: moved.inputs }));
      } finally {
        await oracle.forget(moved);
      }
    });
    return stays === true;
  }

  /** Inputs for sums that have to be more exact than single precision; one number fills long rows. */
  private exacting(first: ResolvedShape): PlannedCase[][] {
    return exactingVariants(this.task.spec).map((variant) => {
      if (variant === "cancelling") return [{ shape: first, variant }];
      const shapes = longShapes(this.task.spec).flatMap((shape) => this.planned(shape));
      return shapes.map(({ shape }) => ({ shape, variant }));
    });
  }

  /**
   * Whether the last bits of a case's inputs may not count: not beside larger ones that cancel, nor where
   * no output is made of floating numbers by more than choosing among them.
   */
  private isMoved({ variant }: PlannedCase): boolean {
    if (variant === "cancelling") return false;
    if (variant !== "arranged" && variant !== "declared") return true;
    return Object.entries(this.task.spec.outputs).some(
      ([name, { dtype }]) => dtype.includes("float") && !this.selecting.includes(name),
    );
  }

  /**
   * Whether the right values on a case's inputs depend on the last bits of singles that are made of whole
   * numbers, as the sine of 2^30 does: then no other order of operations gives them.
   */
  private async dependsOnConversions(planned: PlannedCase, signal: AbortSignal): Promise<boolean> {
    const { session } = this.baseline;
    const depends = await this.baseline.withInputs(planned, signal, async (prepared) => {
      const manner = { counters: false, detectors: false, arithmetic: "rough-conversions" as const, signal };
      const run = await session.run({ ...manner, shape: planned.shape, inputs: prepared.inputs });
      return run.kind === "ran" && !(await this.baseline.isRight(prepared, run.outputs, signal));
    });
    return depends === true;
  }
}

/** Calls on other inputs of one shape, so many that memory which two of them share is seen to be shared. */
const callsInTurn = 3;

/** What calls one after another came to. */
interface Turns {
  readonly cases: readonly CheckedCase[];
  readonly failed?: FailedRun;
  /** A call that changed what one before it had returned, and the kernel as it was changes nothing. */
  readonly overwriting?: CheckedCase;
}

/** Judges a case with new inputs again and again, `seeds` times at least, in one session. */
export async function furtherSeeds(
  judge: CaseJudge,
  { planned, seeds, session }: { planned: PlannedCase; seeds: number; session: KernelSession },
  manner: Manner,
): Promise<Turns> {
  const cases: CheckedCase[] = [];
  const calls = Math.max(seeds, session.holdsResults === true ? callsInTurn : 0);
  let overwriting: CheckedCase | undefined;
  for (let call = 0; call < calls; call += 1) {
    const again = await judge.run(planned, session, manner);
    if (again.kind === "failed") return { cases, failed: again.failed };
    if (again.kind === "no-reference") continue;
    cases.push(again.checked);
    // The first of them may meet results of another shape.
    if (call > 0 && again.run.overwrites === true) overwriting ??= again.checked;
  }
  if (overwriting === undefined || (await mayOverwrite(judge, planned, manner))) return { cases };
  return { cases, overwriting };
}

/** Whether the kernel as it was does so too, or cannot be asked. */
async function mayOverwrite(judge: CaseJudge, planned: PlannedCase, { signal }: Manner): Promise<boolean> {
  const { session } = judge.baseline;
  for (let call = 0; call < callsInTurn; call += 1) {
    const run = await judge.runOnOthers(planned, session, { signal });
    if (run.kind !== "ran" || run.overwrites !== false) return true;
  }
  return false;
}
