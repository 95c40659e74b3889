import { OperationalError } from "../../../core/base/operational-error";
import type { CheckedCase, Finding, Mismatch, SmallestFailure } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest, EvaluationTask } from "../../../core/ports/evaluator";
import { smallerSizes } from "../../../core/workload/cases/smaller-sizes";
import { ownWork, workClock } from "../../process/work-clock";
import { bytesOf, type PlannedCase, type ResolvedShape, resolveShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { CaseJudge, CaseOutcome } from "./case-judge";

/** How a case failed, as far as a smaller one has to fail likewise. */
interface Failure {
  readonly kinds: readonly string[];
  readonly ran: boolean;
}

/** Milliseconds of work that one search may take. */
const mostMilliseconds = 8_000;
/** What kernels take at once of a size, by warps and by large blocks: a tail is what is left over. */
const tailUnits = [32, 1024] as const;
/** What indices of few bits count to. Those of 31 bits would take whole minutes. */
const indexLimits = [2 ** 15, 2 ** 16] as const;
/** Of all buffers of a shape that is tried for a tail. */
const mostTailBytes = 64 * 1024 * 1024;

/** A case that failed, and what it is run with. */
export interface Failed {
  readonly planned: PlannedCase;
  readonly session: KernelSession;
  readonly request: CheckRequest;
}

/** Findings that end a run and may be owed to its sizes: all others are of host code, or of the launch. */
const accesses: ReadonlySet<string> = new Set(["out-of-bounds", "misaligned"]);

/** Findings that say nothing of sizes, or that take as long as a run may. */
const notSearched: ReadonlySet<string> = new Set([
  ...["exception", "endless", "endless-loop", "deadlock", "barrier-deadlock", "host-computed"],
  ...[
    "order-dependent",
    "unordered-streams",
    "keeps-state",
    "heap-never-freed",
    "changes-caller",
    "gradient-left-out",
    "other-gradients",
    "kept-by-each-call",
    "overwrites-results",
    "tunes-on-outputs",
    "other-architecture",
    "program-failed",
    "missing-instructions",
  ],
]);

/**
 * Searches the smallest shape that fails as a case did. Of a candidate a shape counts only where the kernel
 * as it was passes it. Held-out shapes are not searched for candidates, which may not learn them, nor
 * recorded ones, whose contents have one size.
 */
export class SmallestFailures {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /** The cases, the first failed one with the smallest shape that fails like it. */
  async added(
    cases: readonly CheckedCase[],
    session: KernelSession,
    request: CheckRequest,
  ): Promise<readonly CheckedCase[]> {
    const failed = cases.find(({ passed }) => !passed);
    if (failed === undefined) return cases;
    const { shape, inputs: variant = "declared" } = failed;
    const planned = { shape: resolveShape(this.task.spec, shape), variant };
    const told = await this.ofCase(failed, { planned, session, request });
    return cases.map((each) => (each === failed ? told : each));
  }

  /** A case that failed, with the smallest shape that fails like it, and the size whose tail is wrong. */
  async ofCase(checked: CheckedCase, failed: Failed): Promise<CheckedCase> {
    const smallest = await this.search(failed, failureOf(checked.findings, true));
    const { mismatch, findings } = checked;
    const isOpen = mismatch !== undefined && mismatch.cause === undefined && findings.length === 0;
    const likely = isOpen ? ((await this.wholeSize(failed)) ?? (await this.countedSize(failed))) : undefined;
    return {
      ...checked,
      ...(mismatch && likely && { mismatch: { ...mismatch, ...likely } }),
      ...(smallest && { smallest }),
    };
  }

  /** A size of the shape that makes the kernel right where it is rounded up, all others as they are. */
  private async wholeSize({ planned, session, request }: Failed): Promise<LikelyCause | undefined> {
    const { shape: resolved, variant } = planned;
    const { shape } = resolved;
    if (!this.maySearch(shape, request.tree === this.task.baseline)) return undefined;
    for (const [name, size] of Object.entries(shape.sizes))
      for (const unit of tailUnits) {
        const whole = Math.ceil(size / unit) * unit;
        const rounded = this.resolved({ ...shape, sizes: { ...shape.sizes, [name]: whole } });
        if (whole === size || rounded === undefined || bytesOf(rounded) > mostTailBytes) continue;
        const tried = { ...rounded, ...(resolved.drawn && { drawn: resolved.drawn }) };
        const isRight = await this.isRight({ shape: tried, variant }, session, request.signal);
        if (isRight) return { rightWith: { name, size: whole }, cause: "tail" };
      }
    return undefined;
  }

  /**
   * A size with which a tensor has no more elements than an index of few bits counts to, and all values are
   * right, while they are wrong with a few more.
   */
  private async countedSize({ planned, session, request }: Failed): Promise<LikelyCause | undefined> {
    const { shape: resolved, variant } = planned;
    const { shape, drawn } = resolved;
    if (!this.maySearch(shape, request.tree === this.task.baseline)) return undefined;
    const isRight = async (sizes: ShapeSizes): Promise<boolean> => {
      const tried = this.resolved({ ...shape, sizes });
      if (tried === undefined) return false;
      return this.isRight({ shape: { ...tried, ...(drawn && { drawn }) }, variant }, session, request.signal);
    };
    for (const limit of indexLimits)
      for (const [name, size] of Object.entries(shape.sizes)) {
        const most = (elements: number): number =>
          largestSize(size, (each) => this.fits(shape, { name, size: each, elements }));
        const [within, beyond] = [most(limit), most(limit + limit / 32) + 1];
        if (within < 1 || beyond > size) continue;
        if (!(await isRight({ ...shape.sizes, [name]: within }))) continue;
        if (!(await isRight({ ...shape.sizes, [name]: beyond })))
          return { rightWith: { name, size: within }, cause: "index-overflow" };
      }
    return undefined;
  }

  /** Whether no tensor has more elements with this size. */
  private fits(
    shape: ResolvedShape["shape"],
    { name, size, elements }: { readonly name: string; readonly size: number; readonly elements: number },
  ): boolean {
    const resolved = this.resolved({ ...shape, sizes: { ...shape.sizes, [name]: size } });
    if (resolved === undefined) return true;
    return [...resolved.inputs, ...resolved.outputs].every(
      (tensor) => tensor.shape.reduce((product, each) => product * each, 1) <= elements,
    );
  }

  private async isRight(planned: PlannedCase, session: KernelSession, signal: AbortSignal): Promise<boolean> {
    try {
      const outcome = await this.judge.run(planned, session, { counters: false, detectors: true, signal });
      return outcome.kind === "judged" && outcome.checked.passed;
    } catch (thrown) {
      signal.throwIfAborted();
      // As for a smaller shape.
      if (thrown instanceof OperationalError) return false;
      throw thrown;
    }
  }

  /** Neither what a candidate may not learn nor what has one size. */
  private maySearch({ recorded = {}, heldOut }: ResolvedShape["shape"], isOwn: boolean): boolean {
    return Object.keys(recorded).length === 0 && (heldOut !== true || isOwn);
  }

  /** An outcome that a failed run came to, with the smallest shape that fails like it. */
  async outcome(outcome: CheckOutcome, { planned, session, request }: Failed): Promise<CheckOutcome> {
    if (outcome.kind !== "did-not-run" || !outcome.findings.some(({ kind }) => accesses.has(kind)))
      return outcome;
    const failure = failureOf(outcome.findings, false);
    const smallest = await this.search({ planned, session, request }, failure);
    return smallest === undefined ? outcome : { ...outcome, smallest };
  }

  private async search(
    { planned: { shape: resolved, variant }, session, request: { tree, signal } }: Failed,
    failure: Failure,
  ): Promise<SmallestFailure | undefined> {
    const { shape } = resolved;
    const isOwn = tree === this.task.baseline;
    if (!this.maySearch(shape, isOwn)) return undefined;
    if (failure.kinds.some((kind) => notSearched.has(kind))) return undefined;
    const search = smallerSizes(
      shape.sizes,
      this.task.spec.shapes.map(({ sizes }) => sizes),
    );
    let tried = 0;
    let smallest: SmallestFailure["sizes"] | undefined;
    const clock = workClock(ownWork);
    let step = search.next();
    while (!step.done && clock() < mostMilliseconds) {
      tried += 1;
      const smaller = this.resolved({ ...shape, sizes: step.value });
      const planned = smaller && {
        shape: { ...smaller, ...(resolved.drawn && { drawn: resolved.drawn }) },
        variant,
      };
      const fails = planned && (await this.failsSo({ planned, session, isOwn, signal }, failure));
      if (fails === true) smallest = step.value;
      step = search.next(fails === true);
    }
    const found = step.done ? step.value : smallest;
    return found && { sizes: found, tried };
  }

  private resolved(shape: ResolvedShape["shape"]): ResolvedShape | undefined {
    try {
      return resolveShape(this.task.spec, shape);
    } catch (thrown) {
      // A size expression that has no value for sizes that nobody wrote says nothing.
      if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return undefined;
      throw thrown;
    }
  }

  private async failsSo({ planned, session, isOwn, signal }: Tried, failure: Failure): Promise<boolean> {
    const manner = { counters: false, detectors: true, signal };
    try {
      const outcome = await this.judge.run(planned, session, manner);
      if (!isAlike(outcome, failure)) return false;
      return isOwn || (await this.judge.baseline.passes(planned, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      // A reference that cannot take such sizes judges nothing.
      if (thrown instanceof OperationalError) return false;
      throw thrown;
    }
  }
}

type ShapeSizes = ResolvedShape["shape"]["sizes"];

/** What a wrong result is likely due to, and a size with which all values are right. */
type LikelyCause = Required<Pick<Mismatch, "rightWith" | "cause">>;

/** The largest size up to this one of which something holds that holds of all smaller ones; 0 for none. */
function largestSize(size: number, holds: (size: number) => boolean): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One shape that is tried. */
interface Tried {
  readonly planned: PlannedCase;
  readonly session: KernelSession;
  /** Whether the kernel is the baseline itself. */
  readonly isOwn: boolean;
  readonly signal: AbortSignal;
}

function failureOf(findings: readonly Finding[], ran: boolean): Failure {
  return { kinds: findings.map(({ kind }) => kind), ran };
}

/** Whether a case fails as another one did: with a finding of the same kind, or with wrong values alone. */
function isAlike(outcome: CaseOutcome, { kinds, ran }: Failure): boolean {
  if ((outcome.kind === "judged") !== ran) return false;
  const found = outcome.kind === "judged" ? outcome.checked.findings : findingsOf(outcome.failed);
  if (kinds.length > 0) return found.some(({ kind }) => kinds.includes(kind));
  return outcome.kind === "judged" && found.length === 0 && outcome.checked.mismatch !== undefined;
}

function findingsOf(failed: FailedRun): readonly Finding[] {
  return failed.kind === "did-not-run" ? failed.findings : [];
}
