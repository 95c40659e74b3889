import { at } from "../../../core/base/known";
import type { CheckedCase, CompiledFacts, Tier } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest } from "../../../core/ports/evaluator";
import { weighedBound } from "../../../core/timing/bound";
import { pricedBound, simulatedTime } from "../../../core/timing/execution/priced-run";
import { gpuOfTarget } from "../../../core/timing/gpu-model";
import type { Target } from "../../../core/timing/target";
import { type PlannedCase, planCases, type ResolvedShape, weighedShapes } from "../evaluation/case-shapes";
import type { Ran } from "../evaluation/failed-run";
import type { RunRequest } from "../evaluation/kernel-runner";
import type { PricedShape } from "./priced-shape";

/** What the cases of a check came to. */
export interface RanCases {
  readonly cases: CheckedCase[];
  /** The run of the first case. */
  readonly profiled: Ran;
  /** Runs that were counted. */
  readonly counted: Map<ResolvedShape, Ran>;
}

/** Which shapes of a task are run, which are counted, and which make up its price. */
export class Objective {
  constructor(
    private readonly shapes: readonly ResolvedShape[],
    /** Where the price is that of sizes which no shape has. */
    readonly priced: PricedShape | undefined,
  ) {}

  /** The cases of a tier. */
  cases(tier: Tier): readonly PlannedCase[] {
    return [...planCases(this.shapes, tier), ...(this.priced?.cases(tier) ?? [])];
  }

  /** Whether a shape's run is counted: in a full check all are, since none may take longer for another. */
  counts(shape: ResolvedShape, tier: Tier): boolean {
    return tier === "full" ? shape !== this.priced?.shape : this.isWeighed(shape);
  }

  /**
   * How far launches are simulated: as a whole where that was asked for, else the beginning of those that
   * have their part in the price.
   */
  simulation(shape: ResolvedShape, { model }: CheckRequest): RunRequest["model"] {
    if (model === true) return "whole";
    return this.isWeighed(shape) ? "briefly" : undefined;
  }

  private isWeighed(shape: ResolvedShape): boolean {
    return this.priced === undefined && weighedShapes(this.shapes).includes(shape);
  }

  /** The shapes that make up the price, and the run of the first of them. */
  private weighed({ profiled, counted }: Omit<RanCases, "cases">): readonly [readonly ResolvedShape[], Ran] {
    const run = this.priced && counted.get(this.priced.shape);
    if (this.priced === undefined || run === undefined) return [weighedShapes(this.shapes), profiled];
    return [[this.priced.shape], run];
  }

  /** What a check comes to, with its price where anything was counted. */
  outcome(
    ran: Omit<RanCases, "cases"> & { readonly cases: readonly CheckedCase[] },
    { target, protections }: { readonly target: Target; readonly protections: readonly string[] },
  ): Extract<CheckOutcome, { kind: "checked" }> {
    const [weighed, profiled] = this.weighed(ran);
    const facts: readonly CompiledFacts[] = profiled.facts;
    const checked = {
      kind: "checked" as const,
      cases: ran.cases,
      counters: ran.counted.size > 0 ? profiled.counters : undefined,
      facts,
      profiledShape: at(weighed, 0).shape,
      protections,
    };
    if (ran.counted.size === 0 || profiled.counters === undefined) return checked;
    const gpu = gpuOfTarget(target);
    const counted = [...ran.counted].map(([{ shape }, each]) => ({ shape, bound: pricedBound(each, gpu) }));
    const shapeBounds = counted
      .filter(({ shape }) => weighed.some((each) => each.shape === shape))
      .map(({ shape, bound }) => ({
        sizes: shape.sizes,
        bound,
        weight: weighed.length > 1 ? (shape.weight ?? 1) : 1,
      }));
    const shapeCosts = counted.map(({ shape: { sizes }, bound: { nanoseconds, host } }) => ({
      sizes,
      nanoseconds,
      ...(host && { hostNanoseconds: host.nanoseconds }),
    }));
    return {
      ...checked,
      bound: weighedBound(shapeBounds),
      shapeBounds,
      ...(shapeCosts.length > 1 && { shapeCosts }),
      launches: profiled.launches,
      ...(profiled.models && {
        models: profiled.models,
        simulatedNanoseconds: simulatedTime(profiled, gpu).simulatedNanoseconds,
      }),
    };
  }
}
