import { invariant } from "../../../core/base/assert";
import { at } from "../../../core/base/known";
import type { CheckedCase, Finding } from "../../../core/judge/verdict";
import type {
  ChallengeOutcome,
  ChallengeRequest,
  CheckOutcome,
  CheckRequest,
  EvaluationTask,
} from "../../../core/ports/evaluator";
import { type PlannedCase, planCases, type ResolvedShape, smallestOf } from "../evaluation/case-shapes";
import type { KernelRunner, KernelSession } from "../evaluation/kernel-runner";
import { inFolder } from "../evaluation/oracle-session";
import { type CaseJudge, type CaseOutcome, type FurtherOutcome, isRight, type Manner } from "./case-judge";
import { type FailedRun, isUnfit, outcomeOf, type Ran, whyNot } from "../evaluation/failed-run";
import type { AfterCases } from "./after-cases";
import { FurtherCases, furtherSeeds } from "./further-cases";
import {
  CallerState,
  Gradients,
  HeapGrowth,
  KeptGrowth,
  type LentJudge,
  OddDivisors,
  OtherArchitectures,
  ShapesInTurn,
  SignsOfNan,
  TriedConfigurations,
  TunedElsewhere,
  ViewedInputs,
} from "./winner/index";
import { MadeUpCases } from "./made-up-cases";

/** Configurations of an autotuned kernel that are judged; further ones are compiled by nobody here. */
const mostConfigurations = 32;

/** Cases, each with a secret seed of its own, that a winner has passed at least. */
const leastSeeds = 10;

/** Calls by which host code sets variables of a module. */
const setsVariables = /\bcuda(MemcpyToSymbol|GetSymbolAddress)|\b__managed__\b/;

const dependsOnOrder =
  "the values are right only where the blocks start in the order of their numbers, which a GPU does not promise: a block relies on what another one has done before, waits for it a limited number of times, or relies on where memory lies or which lanes __activemask() finds together";
const lacksStreamOrder =
  "the values are right only where launches and copies run in the order of their calls: work on streams that have no order between them uses the same memory, or the host uses pinned or managed memory while a copy or a kernel of this call, or of the call before, may still use it, or a kernel that may begin before the one before it has ended (cudaLaunchAttributeProgrammaticStreamSerialization) uses what that one writes without cudaGridDependencySynchronize(). An event (cudaEventRecord, cudaStreamWaitEvent) or a synchronisation orders it; a stream made with cudaStreamNonBlocking does not wait for the default stream either";
const originalLacksStreamOrder =
  "the kernel as it was gives other values, too, where streams that have no order between them run in another order than that of the calls: no version is judged by that";
const originalDependsOnOrder =
  "the kernel as it was gives other values, too, where the blocks start from the last: no version is judged by that";
const keepsState =
  "the values are right in the first launch only: a variable of the module keeps what a launch has left there, and the next one takes it for its own";

const descending = { order: "descending" } as const;
const latestStreamFirst = { streams: "latest-first" } as const;
const othersFirst = { streams: "others-first" } as const;

const keepsResults =
  "the values are wrong where all but one of the values of each input are those of the call before: results are remembered by a few of the inputs' values";

const overwritesResults =
  "a call changes what an earlier one has returned: results lie in memory that the next call uses again, where each result of the kernel as it was stays as it is. A caller may hold two results at once";

/** What a part of the check came to: more cases, or an outcome that ends it. */
type Part = readonly CheckedCase[] | Unfinished;

type Unfinished = Exclude<CheckOutcome, { kind: "checked" }>;

/** What a check of winners is made with. */
interface WinnerParts {
  readonly task: EvaluationTask;
  readonly judge: CaseJudge;
  readonly after: AfterCases;
  readonly shapes: readonly ResolvedShape[];
  /** What runs the task as compiled for another architecture; left out where that is not asked. */
  readonly runnerFor?: (architecture: string) => KernelRunner;
  /** What judges another task that is made of this one; left out where that is not asked. */
  readonly judgeOf?: (task: EvaluationTask) => LentJudge;
}

/** What a winner is asked beyond its cases: other configurations, cases nobody listed, another order. */
export class WinnerCheck {
  private readonly further: FurtherCases;
  private readonly madeUp: MadeUpCases;
  private readonly architectures: OtherArchitectures;
  private readonly tried: TriedConfigurations;
  private readonly inTurn: ShapesInTurn;
  private readonly signs: SignsOfNan;
  private readonly viewed: ViewedInputs;
  private readonly elsewhere: TunedElsewhere;
  /** What a call does to its caller beside the results. */
  private readonly beside: readonly (CallerState | Gradients | KeptGrowth)[];

  constructor(private readonly parts: WinnerParts) {
    this.madeUp = new MadeUpCases(parts.task, parts.judge, parts.after);
    this.further = new FurtherCases(parts.task, parts.judge);
    this.beside = [
      new CallerState(parts.task, parts.judge),
      new Gradients(parts.task, parts.judge, parts.judgeOf),
      new KeptGrowth(parts.task, parts.judge),
    ];
    this.signs = new SignsOfNan(parts.task, parts.judge);
    this.viewed = new ViewedInputs(parts.task, parts.judge);
    this.inTurn = new ShapesInTurn(parts.task, parts.judge, parts.shapes);
    this.elsewhere = new TunedElsewhere(parts.task, parts.judge, parts.shapes);
    this.tried = new TriedConfigurations(parts.task, parts.judge);
    this.architectures = new OtherArchitectures(parts.task, parts.judge, parts.runnerFor);
  }

  /** Cases beyond the planned ones, after those have passed. */
  async run(session: KernelSession, profiled: Ran, request: CheckRequest): Promise<Part> {
    const configured = await this.checkConfigurations(session, profiled.configurations ?? 1, request);
    if (!isCases(configured)) return configured;
    const tried = await this.tried.check(this.first, session, profiled, request);
    if (tried.wrong !== undefined) return [...configured, tried.wrong];
    // The baseline decides which further cases count: it passes them.
    if (request.tree === this.parts.task.baseline) return withRemarks(configured, tried.remarks);
    const tuned = await this.elsewhere.check(session, profiled, request);
    if (tuned !== undefined) return [...configured, tuned];
    const heap = new HeapGrowth(this.parts.task, this.parts.judge);
    const grown = await heap.check(this.first, session, profiled, request.signal);
    if (grown !== undefined) return [...configured, grown];
    for (const beside of this.beside) {
      const changed = await beside.check(this.first, session, request);
      if (changed !== undefined) return [...configured, changed];
    }
    const elsewhere = await this.architectures.check(this.first, request);
    if (elsewhere.wrong !== undefined) return [...configured, elsewhere.wrong];
    const further = await this.checkFurther(session, request);
    if (!isCases(further)) return further;
    if (further.some(({ passed }) => !passed)) return [...configured, ...further];
    const again = await this.checkAgain(request);
    if (!isCases(again)) return again;
    return withRemarks([...configured, ...further, ...again], [...tried.remarks, ...elsewhere.remarks]);
  }

  /** A case that somebody made up, on the original and then on the files of a session. */
  challenge(session: KernelSession, request: ChallengeRequest): Promise<ChallengeOutcome> {
    return this.madeUp.run(session, request);
  }

  private get first(): PlannedCase {
    return at(planCases(this.parts.shapes, "quick"), 0);
  }

  /**
   * Each further configuration of an autotuned kernel, on the first shape: a GPU may choose any. One that
   * does not fit the GPU is left out, as an autotuner does; the first fault is the outcome.
   */
  private async checkConfigurations(
    session: KernelSession,
    configurations: number,
    { counters: detectors, signal }: CheckRequest,
  ): Promise<Part> {
    const cases: CheckedCase[] = [];
    const most = Math.min(configurations, mostConfigurations);
    for (let configuration = 1; configuration < most; configuration++) {
      const manner = { counters: false, detectors, configuration, signal };
      const outcome = await this.parts.judge.run(this.first, session, manner);
      if (outcome.kind === "judged") cases.push(outcome.checked);
      else if (!isUnfit(outcome.failed)) return ended(outcome.failed);
    }
    return cases;
  }

  /** Shapes and values beyond those of the spec that the baseline passes. */
  private async checkFurther(session: KernelSession, request: CheckRequest): Promise<Part> {
    const { signal } = request;
    const cases: CheckedCase[] = [];
    const manner = { counters: false, detectors: true, signal };
    const run = (planned: PlannedCase, limitSeconds?: number): Promise<FurtherOutcome> =>
      this.parts.judge.runFurther(planned, session, {
        ...manner,
        ...(limitSeconds !== undefined && { limitSeconds }),
      });
    const passed = await this.further.passed(this.first.shape, signal);
    const runs = [...passed.map((planned) => () => run(planned)), ...this.further.beyond.runs(run, signal)];
    for (const next of runs) {
      const outcome = await next();
      if (outcome?.kind === "judged") cases.push(outcome.checked);
      else if (outcome?.kind === "failed" && !isTooLarge(outcome.failed)) return ended(outcome.failed);
      // One that is wrong decides.
      if (outcome?.kind === "judged" && !outcome.checked.passed) return cases;
    }
    const { task, judge, shapes } = this.parts;
    const lost = await new OddDivisors(task, judge).check(smallestOf(shapes), session, request);
    return lost === undefined ? cases : [...cases, lost];
  }

  /** What a fresh process says: the first case in another order, then seeds up to the least number. */
  private async checkAgain(request: CheckRequest): Promise<Part> {
    const { tree, signal } = request;
    const session = this.parts.judge.start(tree);
    const manner = { counters: false, detectors: false, signal };
    try {
      const other = await this.checkOrder(session, manner);
      if (!isCases(other)) return other;
      const smallest = smallestOf(this.parts.shapes);
      // A recording is the same each time.
      if (Object.keys(smallest.shape.recorded ?? {}).length > 0) return other;
      const kept = await this.checkKept(session, request);
      if (!isCases(kept)) return kept;
      const nudged = await this.checkNudged(session, manner);
      if (!isCases(nudged)) return nudged;
      const inTurn = await this.inTurn.check(session, manner);
      if (inTurn !== undefined) return [...other, inTurn];
      const signs = await this.signs.check({ shape: smallest, variant: "declared" }, session, manner);
      if (signs !== undefined) return [...other, signs];
      const cases = [...other, ...kept, ...nudged];
      const seeds = leastSeeds - planCases(this.parts.shapes, "full").length;
      const planned = { shape: smallest, variant: "declared" } as const;
      const turns = await furtherSeeds(this.parts.judge, { planned, seeds, session }, manner);
      if (turns.failed !== undefined) return ended(turns.failed);
      const { overwriting } = turns;
      if (overwriting === undefined) {
        // What is wrong on such inputs may have been kept: nothing is run behind them.
        const viewed = await this.viewed.check(planned, session, manner);
        return [...cases, ...turns.cases, ...(viewed === undefined ? [] : [viewed])];
      }
      const findings = [this.finding("overwrites-results", overwritesResults), ...overwriting.findings];
      return [...cases, ...turns.cases, { ...overwriting, passed: false, findings }];
    } finally {
      await session.close();
    }
  }

  /**
   * The first case with its blocks from the last to the first and memory elsewhere; behind an entry with its
   * streams in another order as well.
   */
  private async checkOrder(session: KernelSession, manner: Manner): Promise<Part> {
    const { judge } = this.parts;
    const { ordersStreams } = session;
    const reordered = { ...descending, ...(ordersStreams === true && latestStreamFirst) };
    const other = await judge.run(this.first, session, { ...manner, ...reordered });
    // Blocks may wait for those before them; a GPU starts these first, in practice.
    if (other.kind === "judged" && other.checked.passed) {
      if (ordersStreams !== true) return [other.checked];
      const othersBefore = { ...manner, ...othersFirst };
      const outcome = await judge.run(this.first, session, othersBefore);
      return isRight(outcome) ? [other.checked] : this.checkStreams(other.checked, outcome, othersBefore);
    }
    const same = await judge.run(this.first, session, manner);
    if (same.kind === "failed") return ended(same.failed);
    if (same.kind === "no-reference") return [];
    if (!same.checked.passed) return [same.checked];
    if (ordersStreams === true) return this.checkEachOrder(session, same.checked, manner);
    if (other.kind !== "judged") return [same.checked];
    const { findings } = other.checked;
    return [{ ...other.checked, findings: [...findings, this.finding("order-dependent", dependsOnOrder)] }];
  }

  /**
   * A case that passes with streams and blocks in order, and not with both in another one: which of the two
   * it is, and whether the kernel as it was relies on it, too.
   */
  private async checkEachOrder(session: KernelSession, inOrder: CheckedCase, manner: Manner): Promise<Part> {
    const { judge } = this.parts;
    const streams = await judge.run(this.first, session, { ...manner, ...latestStreamFirst });
    if (!isRight(streams)) return this.checkStreams(inOrder, streams, { ...manner, ...latestStreamFirst });
    const blocks = await judge.run(this.first, session, { ...manner, ...descending });
    if (blocks.kind !== "judged" || blocks.checked.passed) return [inOrder];
    const before = await judge.run(this.first, judge.baseline.session, { ...manner, ...descending });
    if (!isRight(before)) return [withRemark(inOrder, originalDependsOnOrder)];
    const { findings } = blocks.checked;
    return [{ ...blocks.checked, findings: [...findings, this.finding("order-dependent", dependsOnOrder)] }];
  }

  /**
   * A case that passes with streams in the order of their calls, and not in that of `manner`: so does the
   * kernel as it was, or the version is at fault.
   */
  private async checkStreams(inOrder: CheckedCase, other: CaseOutcome, manner: Manner): Promise<Part> {
    const { judge } = this.parts;
    // Kernels that run beside each other may wait for each other, and run one after the other here.
    if (other.kind === "no-reference" || (other.kind === "failed" && isEndless(other.failed)))
      return [inOrder];
    const before = await judge.run(this.first, judge.baseline.session, manner);
    if (!isRight(before)) return [withRemark(inOrder, originalLacksStreamOrder)];
    const why = other.kind === "failed" ? `${lacksStreamOrder}. ${whyNot(other.failed)}` : lacksStreamOrder;
    const checked = other.kind === "judged" ? other.checked : inOrder;
    const findings = [this.finding("unordered-streams", why), ...checked.findings];
    return [{ ...checked, passed: false, findings }];
  }

  /**
   * A second launch in the memory of a first one. A kernel that its spec launches directly runs without its
   * host code: what that sets in variables of the module is not known, and such a kernel is not asked.
   */
  private async checkKept(session: KernelSession, { tree, signal }: CheckRequest): Promise<Part> {
    const { judge, task } = this.parts;
    if (task.spec.run.kind !== "launch" || Object.values(tree).some((text) => setsVariables.test(text)))
      return [];
    // Blocks that start from the last read what the first launch left before their forerunners replace it.
    const manner = { counters: false, detectors: false, ...descending, signal };
    const behind = await judge.runBehindAnother(this.first, session, manner);
    if (behind.kind === "no-reference" || isRight(behind)) return [];
    const passes = [
      () => judge.run(this.first, session, manner),
      () => judge.runBehindAnother(this.first, judge.baseline.session, manner),
    ];
    for (const run of passes) if (!isRight(await run())) return [];
    if (behind.kind === "failed") return ended(behind.failed);
    const finding = this.finding("keeps-state", keepsState);
    return [{ ...behind.checked, findings: [...behind.checked.findings, finding] }];
  }

  /**
   * A call on nearly the inputs of the call before. Of a kernel that its spec launches directly every run
   * begins anew.
   */
  private async checkNudged(session: KernelSession, manner: Manner): Promise<Part> {
    const { judge, task } = this.parts;
    if (task.spec.run.kind === "launch" || judge.baseline.nudgeable.length === 0) return [];
    for (const turns of [true, false]) {
      const nudged = await judge.runNudged(this.first, session, { ...manner, turns });
      if (nudged.kind === "no-reference" || isRight(nudged)) continue;
      if (nudged.kind === "failed" && nudged.failed.kind !== "did-not-run") continue;
      if (!isRight(await judge.runNudged(this.first, judge.baseline.session, { ...manner, turns }))) continue;
      // Who has the result already may launch nothing.
      if (nudged.kind === "failed") return ended(nudged.failed);
      const { findings } = nudged.checked;
      return [{ ...nudged.checked, findings: [this.finding("keeps-results", keepsResults), ...findings] }];
    }
    return [];
  }

  private finding(kind: string, message: string): Finding {
    const { specFolder, spec } = this.parts.task;
    return { kind, file: inFolder(specFolder, spec.file), line: 0, message };
  }
}

/** A size that nobody listed may be more than a candidate is made for; that is no fault of its values. */
function isTooLarge(failed: FailedRun): boolean {
  return failed.kind === "timed-out" || failed.kind === "refused" || isUnfit(failed);
}

/** Whether a run waited for what did not come. */
function isEndless(failed: FailedRun): boolean {
  if (failed.kind === "timed-out") return true;
  return failed.kind === "did-not-run" && failed.findings.some(({ kind }) => kind.startsWith("endless"));
}

function withRemark(checked: CheckedCase, remark: string): CheckedCase {
  return { ...checked, remarks: [...(checked.remarks ?? []), remark] };
}

/** The cases, the first of which tells the remarks. */
function withRemarks(
  [first, ...others]: readonly CheckedCase[],
  remarks: readonly string[],
): readonly CheckedCase[] {
  return first === undefined ? [] : [remarks.reduce(withRemark, first), ...others];
}

/** Whether a part of the check gave cases. */
export function isCases(part: Part): part is readonly CheckedCase[] {
  return Array.isArray(part);
}

/** An outcome that ends a check. */
function ended(failed: FailedRun): Unfinished {
  const outcome = outcomeOf(failed);
  invariant(outcome.kind !== "checked", "a failed run is no finished check");
  return outcome;
}
