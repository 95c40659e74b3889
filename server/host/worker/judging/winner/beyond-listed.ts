import { OperationalError } from "../../../../core/base/operational-error";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { longDimensions, scalarShapes } from "../../../../core/workload/cases/beyond-shapes";
import type { ShapeCase } from "../../../../core/workload/spec";
import { type PlannedCase, type ResolvedShape, resolveShape } from "../../evaluation/case-shapes";
import type { BaselineCases } from "../baseline-cases";

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

/**
 * Shapes far beyond those of the spec: whole numbers that are no sizes at nothing, one and more than any
 * size; one size alone behind sixteen bits. One counts where the kernel as it was passes it, in seconds, and
 * its values there are no matter of rounding.
 */
export class BeyondListed {
  constructor(
    private readonly task: Pick<EvaluationTask, "spec">,
    private readonly asked: Asked,
  ) {}

  /** The cases that count. */
  async passed(signal: AbortSignal): Promise<readonly PlannedCase[]> {
    const { spec } = this.task;
    const passed: PlannedCase[] = [];
    const groups = [
      ...scalarShapes(spec).map((group) => this.resolved(group).map((each) => ({ ...each, ...idle }))),
      ...longDimensions(spec).map((group) => this.resolved(group)),
    ];
    for (const group of groups) {
      const found = await this.firstOf(group, signal);
      if (found !== undefined) passed.push(found);
    }
    return passed;
  }

  private async firstOf(
    group: readonly ResolvedShape[],
    signal: AbortSignal,
  ): Promise<PlannedCase | undefined> {
    for (const shape of group) {
      if (!(await this.isCheap(shape, signal))) continue;
      const planned = { shape, variant: "declared" as const };
      if (!(await this.asked.baseline.passes(planned, signal))) continue;
      if (await this.asked.isAccurate(planned, signal)) return planned;
    }
    return undefined;
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
