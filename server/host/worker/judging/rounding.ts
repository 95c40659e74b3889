import { at, known } from "../../../core/base/known";
import type { Mismatch } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { PlannedCase } from "../evaluation/case-shapes";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { Change, OracleCase, OracleJudgement, OracleSession } from "../evaluation/oracle-session";
import { type BaselineCases, leastOf } from "./baseline-cases";

/** Of so many elements one may be decided by rounding (`ONE_IN` of the oracle's steadiness.py). */
const oneIn = 50;
/**
 * How inputs are moved in turn. Together they carry what follows one input over an edge; what takes
 * differences of inputs needs them apart, and each time some more of its elements change sides.
 */
const ways = ["out", "in", ...new Array<"any">(10).fill("any")] as const;
/** How the original is run to see what the rounding of its own operations decides. */
export const directions = ["rounded-up", "rounded-down"] as const;

/** A case, and the outputs of a run of it. */
interface Judged {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly outputs: readonly Uint8Array[];
  /** What gave the outputs. */
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** Tells results that are wrong from those that rounding alone has decided. */
export class Rounding {
  private readonly hasMovable: boolean;

  constructor(
    private readonly task: Pick<EvaluationTask, "spec">,
    private readonly oracle: OracleSession,
    private readonly baseline: BaselineCases,
  ) {
    this.hasMovable = Object.values(task.spec.inputs).some(({ dtype }) => /^float(32|64)$/.test(dtype));
  }

  /**
   * The same judgement, or another one where the few elements that are wrong move as far when the last bits
   * of inputs do, in the reference, which is run for that on moved inputs, or those of the baseline's own
   * operations. `remark` then says so.
   */
  async judge(
    first: OracleJudgement,
    { planned, prepared, outputs, session, signal }: Judged,
  ): Promise<OracleJudgement & { readonly remark?: string }> {
    const { mismatch } = first;
    if (mismatch === undefined) return first;
    if (planned.variant === "infinite")
      return (await this.withoutInfinities({ planned, prepared, outputs, session, signal })) ?? first;
    const summed = await this.againstExactSums(mismatch, { planned, prepared, outputs, signal });
    if (summed !== undefined) return summed;
    const of = { planned, prepared, signal };
    if (mismatch.wrong * oneIn > mismatch.total) return this.withinOwn(first, { ...of, outputs });
    const moves = this.hasMovable && !(await this.decidesInDouble(mismatch, of)) ? ways : [];
    const lessons = [
      ...moves.map((way) => () => this.learn({ method: "move", way }, of)),
      ...directions.map((arithmetic) => () => this.learnFromOperations(arithmetic, of)),
    ];
    for (const learn of lessons) {
      if (!(await learn())) break;
      const again = await this.oracle.judge(prepared, outputs, signal);
      if (again.passed) return { ...again, remark: decidedByRounding };
    }
    return this.withinOwn(first, { ...of, outputs });
  }

  /**
   * The same judgement, or another one where the original, which is its own reference, is no closer to its
   * values itself: each of them may be off by as much as they move where its operations are rounded up, or
   * down. Between the two lies what they come to without any rounding.
   */
  private async withinOwn(
    first: OracleJudgement,
    { planned, prepared, outputs, signal }: Omit<Judged, "session">,
  ): Promise<OracleJudgement & { readonly remark?: string }> {
    const { mismatch, tolerance } = first;
    if (this.task.spec.reference.kind !== "baseline" || mismatch === undefined) return first;
    if (!this.isFloat(mismatch.output) || !isNear(mismatch, tolerance)) return first;
    for (const arithmetic of directions) {
      if (!(await this.learnFromOperations(arithmetic, { planned, prepared, signal }, true))) return first;
    }
    const again = await this.oracle.judge(prepared, outputs, signal);
    return again.passed ? { ...again, remark: withinOwnRounding } : first;
  }

  private isFloat(output: string): boolean {
    return known(this.task.spec.outputs[output], "the output of a mismatch").dtype.includes("float");
  }

  /**
   * Whether the baseline comes to a whole number by double precision from inputs of single precision: which
   * of two it is has been meant to be told beyond their last bits, as the side of a line where a point lies.
   */
  private async decidesInDouble(
    { output }: Mismatch,
    { planned: { shape }, prepared, signal }: Omit<Judged, "outputs" | "session">,
  ): Promise<boolean> {
    const { inputs, reference } = this.task.spec;
    const isWhole = !this.isFloat(output);
    const isDouble = Object.values(inputs).some(({ dtype }) => dtype === "float64");
    if (reference.kind !== "baseline" || !isWhole || isDouble) return false;
    const manner = { counters: true, detectors: false, signal };
    const run = await this.baseline.session.run({ ...manner, shape, inputs: prepared.inputs });
    return run.kind === "ran" && (run.counters?.totals.fp64Flops ?? 0) > 0;
  }

  /**
   * The judgement of results that are right for what the baseline's atomic sums should come to: millions of
   * them into one number are far off where a GPU rounds each. Undefined, and all as it was, where these come
   * to the same, or the results are not right for them either.
   */
  private async againstExactSums(
    mismatch: Mismatch,
    { planned: { shape }, prepared, outputs, signal }: Omit<Judged, "session">,
  ): Promise<(OracleJudgement & { readonly remark: string }) | undefined> {
    if (this.task.spec.reference.kind !== "baseline" || !areClose(mismatch)) return undefined;
    const { session } = this.baseline;
    const manner = { shape, inputs: prepared.inputs, counters: false, detectors: false, signal };
    const rounded = await session.run(manner);
    const exact = await session.run({ ...manner, arithmetic: "exact-sums" });
    if (rounded.kind !== "ran" || exact.kind !== "ran") return undefined;
    if (areEqual(rounded.outputs, exact.outputs)) return undefined;
    const sums = { outputs: exact.outputs, rounded: rounded.outputs, ...leastOf(exact) };
    await this.oracle.expect(prepared, sums, signal);
    const again = await this.oracle.judge(prepared, outputs, signal);
    if (again.passed) return { ...again, remark: summedExactly };
    await this.oracle.expect(prepared, { outputs: rounded.outputs, ...leastOf(rounded) }, signal);
    return undefined;
  }

  /**
   * The judgement of results that are right once an input has no infinite numbers, where no number stands for
   * elements alone that these do not reach in the original. Undefined where there is no such input.
   */
  private async withoutInfinities({
    planned,
    prepared,
    outputs,
    session,
    signal,
  }: Judged): Promise<(OracleJudgement & { readonly remark: string }) | undefined> {
    const { shape } = planned;
    for (const name of this.baseline.nudgeable) {
      const bounded = await this.oracle.derive(prepared, { method: "bound", names: [name] }, signal);
      try {
        if ((await this.baseline.expect(bounded, planned, signal)) !== undefined) continue;
        const manner = { counters: false, detectors: false, signal };
        const run = await session.run({ ...manner, shape, inputs: bounded.inputs });
        if (run.kind !== "ran" || !(await this.baseline.isRight(bounded, run.outputs, signal))) continue;
        await this.oracle.steady(prepared, { moved: bounded }, signal);
        const again = await this.oracle.judge(prepared, outputs, signal);
        if (again.passed) return { ...again, remark: timesZero };
      } finally {
        await this.oracle.forget(bounded);
      }
    }
    return undefined;
  }

  /**
   * Learns how far the expected values move with the last bits of the inputs. False where the baseline, which
   * is the reference, does not run on them.
   */
  private async learn(
    move: Change,
    { planned: { shape }, prepared, signal }: Omit<Judged, "outputs" | "session">,
  ): Promise<boolean> {
    const moved = await this.oracle.derive(prepared, move, signal);
    try {
      if (this.task.spec.reference.kind === "baseline") {
        const run = await this.baseline.run(shape, moved.inputs, signal);
        if (run.kind !== "ran") return false;
        await this.oracle.expect(moved, { outputs: run.outputs }, signal);
      }
      await this.oracle.steady(prepared, { moved }, signal);
      return true;
    } finally {
      await this.oracle.forget(moved);
    }
  }

  /**
   * Learns how far the baseline's values move where it rounds each operation in one direction. That tells of
   * inputs too which have no last bits to move, as those of an image. False where it does not run so.
   * `each`: it counts for each element, not for a few alone.
   */
  private async learnFromOperations(
    arithmetic: (typeof directions)[number],
    { planned: { shape }, prepared, signal }: Omit<Judged, "outputs" | "session">,
    each = false,
  ): Promise<boolean> {
    const as = (kind?: typeof arithmetic): Promise<OracleCase | undefined> =>
      this.computed({ shape, prepared, signal, ...(kind === undefined ? {} : { arithmetic: kind }) });
    // Another reference is no measure here: the distance of a wrong baseline from it is no rounding.
    const isReference = this.task.spec.reference.kind === "baseline";
    const usual = isReference ? prepared : await as();
    const rounded = usual === undefined ? undefined : await as(arithmetic);
    try {
      if (usual === undefined || rounded === undefined) return false;
      await this.oracle.steady(prepared, { from: usual, moved: rounded, each }, signal);
      return true;
    } finally {
      for (const made of isReference ? [rounded] : [usual, rounded])
        if (made !== undefined) await this.oracle.forget(made);
    }
  }

  /** A case with the same inputs and the values that the baseline gives. Undefined where it does not run. */
  private async computed({
    shape,
    prepared,
    arithmetic,
    signal,
  }: Pick<Judged, "prepared" | "signal"> & {
    readonly shape: PlannedCase["shape"];
    readonly arithmetic?: (typeof directions)[number];
  }): Promise<OracleCase | undefined> {
    const manner = { shape, inputs: prepared.inputs, counters: false, detectors: false, signal };
    const run = await this.baseline.session.run(
      arithmetic === undefined ? manner : { ...manner, arithmetic },
    );
    if (run.kind !== "ran") return undefined;
    const same = await this.oracle.derive(prepared, { method: "nudge", names: [], turns: false }, signal);
    await this.oracle.expect(same, { outputs: run.outputs }, signal);
    return same;
  }
}

/** How far off, in relation to its size, a sum may be that rounding alone has moved. */
const mostMoved = 0.25;

/** Whether a wrong result is near enough to have been moved by the rounding of sums. */
export function areClose({ expected, actual }: Mismatch): boolean {
  if (typeof expected === "string" || typeof actual === "string") return false;
  return Math.abs(actual - expected) <= mostMoved * Math.max(Math.abs(expected), Math.abs(actual));
}

/** An allowance for rounding is so many tolerances at most (`MOST_GROWTH` of the oracle's steadiness.py). */
const mostTolerances = 64;

/** Whether the first wrong value may be within what rounding is allowed to move it. */
function isNear(
  { expected, actual }: Mismatch,
  { absolute, relative }: OracleJudgement["tolerance"],
): boolean {
  if (typeof expected === "string" || typeof actual === "string") return false;
  return Math.abs(actual - expected) <= (1 + mostTolerances) * absolute + relative * Math.abs(expected);
}

function areEqual(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  return one.every((content, place) => Buffer.compare(content, at(other, place)) === 0);
}

/** What a verdict says of a version that is right for sums without rounding. */
export const summedExactly =
  "The original adds up so many numbers atomically that rounding each sum moves the result: this version is " +
  "held against the sums without rounding";
/** What a verdict says of a version that computes with what the original leaves out. */
const timesZero =
  "An infinite input that has no part in a result makes it NaN: it is multiplied by zero, as under a mask, where " +
  "the original leaves it out";
/** What a verdict says of a version that differs by no more than the original's own rounding. */
const withinOwnRounding =
  "The original's values are no closer than its own rounding takes them: this version differs from them by less " +
  "than they move where each operation of the original is rounded up, or down";
const decidedByRounding =
  "Rounding decides a few elements: the last bits of inputs, or of the original's own operations, move them as " +
  "far, and they are held against no version";
