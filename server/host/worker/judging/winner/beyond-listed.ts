import { OperationalError } from "../../../../core/base/operational-error";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { countedShapes, longDimensions, scalarShapes } from "../../../../core/workload/cases/beyond-shapes";
import type { ShapeCase } from "../../../../core/workload/spec";
import { type PlannedCase, type ResolvedShape, resolveShape } from "../../evaluation/case-shapes";
import type { BaselineCases } from "../baseline-cases";
import { type FurtherOutcome, isRight } from "../case-judge";

/** Seconds of the processor that the original may take for one run of a shape that nobody listed. */
const mostSeconds = 2;

/** Where nothing is asked for, copies may be all that is done. */
const idle = { mayBeIdle: true } as const;

/** What the original is asked for. */
interface Asked {
  readonly baseline: Pick<BaselineCases, "passes" | "runCost">;
  /** Whether it stays accurate on a case, so that a version can be held to its values. */
  readonly isAccurate: (planned: PlannedCase, signal: AbortSignal) => Promise<boolean>;
}

/** Runs a version on a case that nobody asked for, which may take so many seconds. */
type RunCase = (planned: PlannedCase, limitSeconds?: number) => Promise<FurtherOutcome>;

/** Seconds that a version may take over as many numbers as fill counters. */
const mostToCount = 10;

/**
 * Shapes far beyond those of the spec: whole numbers that are no sizes at nothing, one and more than any
 * size; one size alone behind sixteen bits; or as many numbers, nearly all alike, as fill counters. One
 * counts where the kernel as it was passes it, in seconds, and its values there are no matter of rounding.
 * Most of such a shape's time goes into finding that out, so that it is asked where a version does not pass,
 * and once.
 */
export class BeyondListed {
  private readonly cheap = new Map<ResolvedShape, boolean>();
  private readonly counting = new Map<ResolvedShape, boolean>();
  private known: readonly (readonly PlannedCase[])[] | undefined;

  constructor(
    private readonly task: Pick<EvaluationTask, "spec">,
    private readonly asked: Asked,
  ) {}

  /**
   * Judges a version on one shape of each group, one group at each call: the first shape that it passes or
   * that counts. Undefined where the group has none.
   */
  runs(run: RunCase, signal: AbortSignal): readonly (() => Promise<FurtherOutcome | undefined>)[] {
    return this.groups.map((group) => () => this.firstOf(group, run, signal));
  }

  private get groups(): readonly (readonly PlannedCase[])[] {
    return (this.known ??= this.planned());
  }

  private planned(): readonly (readonly PlannedCase[])[] {
    const { spec } = this.task;
    const declared = [
      ...scalarShapes(spec).map((group) => this.resolved(group).map((each) => ({ ...each, ...idle }))),
      ...longDimensions(spec).map((group) => this.resolved(group)),
    ];
    const alike = countedShapes(spec).map((group) => this.resolved(group));
    return [
      ...declared.map((group) => group.map((shape) => ({ shape, variant: "declared" as const }))),
      ...alike.map((group) => group.map((shape) => ({ shape, variant: "alike" as const }))),
    ];
  }

  private async firstOf(
    group: readonly PlannedCase[],
    run: RunCase,
    signal: AbortSignal,
  ): Promise<FurtherOutcome | undefined> {
    for (const planned of group) {
      const { shape } = planned;
      if (this.counting.get(shape) === false) continue;
      if (!(await once(this.cheap, shape, () => this.isCheap(shape, signal)))) continue;
      const isCounted = planned.variant === "alike";
      const outcome = await run(planned, isCounted ? mostToCount : undefined);
      if (isRight(outcome)) return outcome;
      // A version may have room and time for the sizes of the spec alone: here its counters are asked.
      if (isCounted && outcome.kind !== "judged") continue;
      if (await once(this.counting, shape, () => this.counts(planned, signal))) return outcome;
    }
    return undefined;
  }

  private async counts(planned: PlannedCase, signal: AbortSignal): Promise<boolean> {
    if (!(await this.asked.baseline.passes(planned, signal))) return false;
    return !this.hasFloats() || this.asked.isAccurate(planned, signal);
  }

  /** Whether anything is rounded at all, as far as the spec tells. */
  private hasFloats(): boolean {
    const { inputs, outputs } = this.task.spec;
    return [...Object.values(inputs), ...Object.values(outputs)].some(({ dtype }) => dtype.includes("float"));
  }

  private async isCheap(shape: ResolvedShape, signal: AbortSignal): Promise<boolean> {
    try {
      const cost = await this.asked.baseline.runCost(shape, { mostSeconds }, signal);
      return cost !== undefined && cost <= mostSeconds;
    } catch (thrown) {
      signal.throwIfAborted();
      // A reference that cannot take such numbers says nothing.
      if (thrown instanceof OperationalError) return false;
      throw thrown;
    }
  }

  /** The shapes that sizes which nobody wrote give, as far as they give one. */
  private resolved(shapes: readonly ShapeCase[]): readonly ResolvedShape[] {
    return shapes.flatMap((shape) => {
      try {
        return [resolveShape(this.task.spec, shape)];
      } catch (thrown) {
        if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return [];
        throw thrown;
      }
    });
  }
}

/** What is known of a shape, or is found out now. */
async function once(
  known: Map<ResolvedShape, boolean>,
  shape: ResolvedShape,
  find: () => Promise<boolean>,
): Promise<boolean> {
  const found = known.get(shape) ?? (await find());
  known.set(shape, found);
  return found;
}
