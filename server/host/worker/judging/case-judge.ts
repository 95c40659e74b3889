import { at } from "../../../core/base/known";
import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { CheckedCase, Finding, Mismatch, ValueWriter } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { WorkloadDoubts } from "../../../core/workload/doubts";
import { hostFaults } from "../entry/host-faults";
import { maybeUnwritten, unwritten } from "../evaluation/buffers";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { KernelRunner, KernelSession, RunRequest } from "../evaluation/kernel-runner";
import { inFolder, type OracleCase, type OracleSession } from "../evaluation/oracle-session";
import { faultsOf, whyNot, type FailedRun, type Ran } from "../evaluation/failed-run";
import { type DoubtedShapes, workloadDoubts } from "./workload-doubts";
import { BaselineCases, type NoReference } from "./baseline-cases";
import { Rounding } from "./rounding";
import { ThreadOrder } from "./thread-order";

/** How a case is run. */
export type Manner = Pick<
  RunRequest,
  | ("counters" | "model" | "detectors" | "proof" | "signal")
  | ("configuration" | "tries" | "order" | "streams" | "earlier" | "again" | "limitSeconds")
>;

/** What came of one case. */
export type CaseOutcome =
  | { readonly kind: "judged"; readonly checked: CheckedCase; readonly run: Ran }
  | { readonly kind: "failed"; readonly failed: FailedRun }
  | NoReference;

/** The values are wrong, and so are those of the baseline on the same inputs. */
interface BeyondBaseline {
  readonly kind: "beyond-baseline";
}

/** What came of a case that nobody asked for. */
export type FurtherOutcome = CaseOutcome | BeyondBaseline;

export function isRight(outcome: FurtherOutcome): boolean {
  return outcome.kind === "judged" && outcome.checked.passed;
}

/** A planned case with its inputs, and the session that runs it. */
interface RunCase {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** How many times as long as the longest run of a shape another one may take, and the least limit. */
const patience = 20;
const leastSeconds = 30;

const notReplayed =
  "the recorded launch, run alone, leaves other contents than in its program: it depends on something that is not among its arguments, or on the order of its threads";

/** Prepares, runs and judges single cases of one task. */
export class CaseJudge {
  readonly baseline: BaselineCases;
  private readonly rounding: Rounding;
  private readonly threadOrder: ThreadOrder;
  /** Seconds of the longest run of each shape that came to its end. */
  private readonly longest = new Map<ResolvedShape, number>();
  private readonly baselineKey: string;
  private readonly file: string;

  constructor(
    private readonly task: EvaluationTask,
    readonly oracle: OracleSession,
    private readonly runner: KernelRunner,
  ) {
    this.baseline = new BaselineCases(task, oracle, runner);
    this.rounding = new Rounding(task, oracle, this.baseline);
    this.threadOrder = new ThreadOrder(task, oracle, this.baseline);
    this.baselineKey = treeKey(task.baseline);
    this.file = inFolder(task.specFolder, task.spec.file);
  }

  /** Begins the runs of a candidate. */
  start(tree: SourceTree): KernelSession {
    const session = this.runner.start(tree);
    if (treeKey(tree) === this.baselineKey) this.baseline.sessions.add(session);
    return session;
  }

  /** Runs a case with new inputs and judges it. */
  async run(planned: PlannedCase, session: KernelSession, manner: Manner): Promise<CaseOutcome> {
    return this.baseline.withInputs(planned, manner.signal, (prepared) =>
      this.runOn({ planned, prepared, session, signal: manner.signal }, manner),
    );
  }

  /** Runs a case behind a launch on other inputs, which has written to the variables of the module. */
  async runBehindAnother(planned: PlannedCase, session: KernelSession, manner: Manner): Promise<CaseOutcome> {
    const other = await this.oracle.make(planned.shape, "declared", manner.signal);
    try {
      return await this.run(planned, session, { ...manner, earlier: other.inputs });
    } finally {
      await this.oracle.forget(other);
    }
  }

  /**
   * Runs a case, and then judges a run on the same inputs but for one value of each, in the same tensors:
   * what knows inputs again by a few of their values, or by what holds them, gives the first answer twice.
   * `turns`: that value has the other sign.
   */
  async runNudged(
    planned: PlannedCase,
    session: KernelSession,
    { turns, ...manner }: Manner & { readonly turns: boolean },
  ): Promise<CaseOutcome> {
    const { signal } = manner;
    return this.baseline.withInputs(planned, signal, async (prepared): Promise<CaseOutcome> => {
      const { shape } = planned;
      const first = await this.timed(session, { ...manner, shape, inputs: prepared.inputs });
      if (first.kind !== "ran") return { kind: "failed", failed: first };
      const use = (nudged: OracleCase): Promise<CaseOutcome> =>
        this.runOn({ planned, prepared: nudged, session, signal }, { ...manner, again: true });
      return this.baseline.withNudged(planned, prepared, { turns, signal, use });
    });
  }

  /** Runs a case that nobody asked for: of it no more is asked than the baseline does on the same inputs. */
  async runFurther(planned: PlannedCase, session: KernelSession, manner: Manner): Promise<FurtherOutcome> {
    const { signal } = manner;
    return this.baseline.withInputs(planned, signal, async (prepared) => {
      const outcome = await this.runOn({ planned, prepared, session, signal }, manner);
      if (outcome.kind !== "judged" || outcome.checked.mismatch === undefined) return outcome;
      if (saysNothing(this.task, planned, outcome.checked.mismatch)) return { kind: "beyond-baseline" };
      const before = await this.baseline.run(planned.shape, prepared.inputs, signal);
      const isRight =
        before.kind === "ran" && (await this.baseline.isRight(prepared, before.outputs, signal));
      return isRight ? outcome : { kind: "beyond-baseline" };
    });
  }

  private async runOn(ran: RunCase, manner: Manner): Promise<CaseOutcome> {
    const { shape } = ran.planned;
    const run = await this.timed(ran.session, { ...manner, shape, inputs: ran.prepared.inputs });
    if (run.kind !== "ran") return { kind: "failed", failed: run };
    return { kind: "judged", checked: await this.judge(ran, run), run };
  }

  /** A run of a shape that has been run before has so many times as long as the longest took. */
  private async timed(session: KernelSession, request: RunRequest): ReturnType<KernelSession["run"]> {
    const longest = this.longest.get(request.shape);
    const patient = longest === undefined ? Infinity : Math.max(leastSeconds, longest * patience);
    const limitSeconds = Math.min(patient, request.limitSeconds ?? Infinity);
    const started = performance.now();
    const run = await session.run({ ...request, ...(limitSeconds < Infinity && { limitSeconds }) });
    const seconds = (performance.now() - started) / 1000;
    if (run.kind === "ran") this.longest.set(request.shape, Math.max(longest ?? 0, seconds));
    return run;
  }

  private async judge(ran: RunCase, run: Ran): Promise<CheckedCase> {
    const { planned, prepared, session, signal } = ran;
    const { shape, variant } = planned;
    const first = await this.oracle.judge(prepared, run.outputs, signal);
    const judged = { planned, prepared, outputs: run.outputs, session, signal };
    const isOwn = this.baseline.sessions.has(session);
    const ordered = await this.threadOrder.judge(first, { ...judged, isOwn });
    const judgement = ordered.passed ? ordered : await this.rounding.judge(first, judged);
    const { faults, told } = faultsOf(run.findings, judgement.passed);
    const findings = [
      ...faults,
      ...(await this.neverWritten(ran, run)),
      ...(await hostFaults({
        run,
        isBaseline: isOwn,
        mostBefore: () => this.baseline.mostHandedOver(shape),
        madeFor: this.baseline.made.get(prepared),
        before: async () => {
          const before = await this.baseline.run(shape, prepared.inputs, signal);
          return before.kind === "ran" ? before : undefined;
        },
        again: async () => {
          const other = await this.runOnOthers(planned, session, { signal });
          return other.kind === "ran" ? other : undefined;
        },
        outputs: shape.outputs,
        inputs: prepared.inputs,
        isRight: (outputs) => this.baseline.isRight(prepared, outputs, signal),
        file: this.file,
      })),
    ];
    const { passed, tolerance, mismatch, remark } = judgement;
    if (mismatch !== undefined && findings.length === 0 && isOwn) this.threadOrder.refuse(mismatch.output);
    const more = [remark, this.baseline.differs(shape) ? notReplayed : undefined];
    const remarks = [...run.remarks, ...more.filter((each) => each !== undefined), ...told];
    const verdict = {
      shape: shape.shape,
      inputs: variant,
      passed: passed && findings.length === 0,
      tolerance,
      findings,
      ...(remarks.length > 0 ? { remarks } : {}),
    };
    if (mismatch === undefined) return verdict;
    const writer = await this.writerOf(ran, mismatch);
    // Threads whose indices overflow meet on one element: that is what is to be mended.
    const hasRace =
      mismatch.cause !== "index-overflow" && findings.some(({ kind }) => kind.endsWith("-race"));
    return {
      ...verdict,
      mismatch: {
        ...mismatch,
        ...(hasRace && { cause: "race" as const }),
        ...(writer === "nobody" ? { isUnstored: true } : writer && { writer }),
      },
    };
  }

  /** Who wrote the first wrong value, by a run that is watched; undefined where that cannot be told. */
  private async writerOf(
    { planned: { shape }, prepared, session, signal }: RunCase,
    { output, index }: Mismatch,
  ): Promise<ValueWriter | "nobody" | undefined> {
    if (session.tellsWriters !== true) return undefined;
    const position = shape.outputs.findIndex(({ name }) => name === output);
    const tensor = at(shape.outputs, position);
    const element = index.reduce((sum, each, axis) => sum * at(tensor.shape, axis) + each, 0);
    const watched = { output: position, element };
    const { inputs } = prepared;
    const run = await session.run({ shape, inputs, counters: false, detectors: false, watched, signal });
    return run.kind === "ran" ? run.writer : undefined;
  }

  /** What runs of the baseline say against its workload. */
  doubts(shapes: DoubtedShapes, signal: AbortSignal): Promise<WorkloadDoubts> {
    return workloadDoubts(shapes, { oracle: this.oracle, session: this.baseline.session, signal });
  }

  /** Runs a session with inputs of another seed, without looking at its values. */
  async runOnOthers(
    { shape }: PlannedCase,
    session: KernelSession,
    manner: Pick<
      RunRequest,
      "withheld" | "limitSeconds" | "proof" | "callerSeed" | "gradients" | "signal"
    > & {
      readonly detectors?: boolean;
    },
  ): ReturnType<KernelSession["run"]> {
    const other = await this.oracle.make(shape, "declared", manner.signal);
    try {
      const { inputs } = other;
      return await session.run({ detectors: false, ...manner, shape, inputs, counters: false });
    } finally {
      await this.oracle.forget(other);
    }
  }

  /**
   * Outputs that the kernel left unwritten in part. What holds the pattern that outputs were filled with may
   * hold it as a result: then the case is run once more over another pattern, and has to end the same way.
   */
  private async neverWritten(
    { planned: { shape }, prepared, session, signal }: RunCase,
    run: Ran,
  ): Promise<readonly Finding[]> {
    const contents = ({ outputs }: Ran, position: number): Uint8Array => at(outputs, position);
    if (!shape.outputs.some((output, position) => maybeUnwritten(output, contents(run, position)))) return [];
    const again = await session.run({
      shape,
      inputs: prepared.inputs,
      counters: false,
      detectors: false,
      fill: "second",
      signal,
    });
    // A run that ends otherwise over other contents has looked at what it should have written.
    if (again.kind !== "ran") return [dependsOnOutput(`the run fails (${whyNot(again)})`, this.file)];
    const left = shape.outputs.flatMap((output, position) =>
      unwritten(output, { first: contents(run, position), second: contents(again, position) }, this.file),
    );
    if (left.length > 0) return left;
    const first = await this.baseline.isRight(prepared, run.outputs, signal);
    const second = await this.baseline.isRight(prepared, again.outputs, signal);
    return first && !second ? [dependsOnOutput("other values come out", this.file)] : [];
  }
}

/** Whole numbers that nobody listed, as lengths that are all zero. */
const bareVariants: ReadonlySet<PlannedCase["variant"]> = new Set(["least", "greatest", "ends"]);

/**
 * Whether a mismatch says nothing: a kernel that is its own reference leaves the numbers there, as by
 * dividing by a scalar that is nothing, or by the number of elements of empty rows.
 */
function saysNothing(
  { spec }: Pick<EvaluationTask, "spec">,
  { shape, variant }: PlannedCase,
  { expected }: Mismatch,
): boolean {
  const isBare = shape.mayBeIdle === true || bareVariants.has(variant);
  return isBare && spec.reference.kind === "baseline" && typeof expected === "string";
}

/** A fault of a kernel whose results change with what its outputs held before. */
function dependsOnOutput(what: string, file: string): Finding {
  return {
    kind: "depends-on-output",
    file,
    line: 0,
    message: `where an output holds other bytes before the launch, ${what}: it is read before it is written`,
  };
}
