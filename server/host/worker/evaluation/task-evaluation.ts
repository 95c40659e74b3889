import { OperationalError } from "../../../core/base/operational-error";
import { invariant } from "../../../core/base/assert";
import type { CheckedCase } from "../../../core/judge/verdict";
import type {
  ChallengeOutcome,
  ChallengeRequest,
  CheckOutcome,
  CheckRequest,
  CodeOutcome,
  CompileOutcome,
  Evaluation,
  EvaluationTask,
  Simulated,
} from "../../../core/ports/evaluator";
import { AfterCases } from "../judging/after-cases";
import { CaseJudge } from "../judging/case-judge";
import { Objective, type RanCases } from "../price/objective";
import { PricedShape } from "../price/priced-shape";
import { outcomeOf, type Ran, withoutReference } from "./failed-run";
import { HiddenDependence } from "../judging/hidden-dependence";
import { isCases, WinnerCheck } from "../judging/winner-check";
import { type PlannedCase, planCases, resolveShape, type ResolvedShape } from "./case-shapes";
import type { KernelRunner, KernelSession } from "./kernel-runner";
import { inFolder, type OracleSession } from "./oracle-session";

/** What makes an oracle and a runner of a task. */
interface Machines {
  readonly oracle: (task: EvaluationTask) => OracleSession;
  readonly runner: (task: EvaluationTask) => KernelRunner;
}

/** The judge of one task: the oracle and the runner of its dialect, brought together case by case. */
export class TaskEvaluation implements Evaluation {
  private readonly shapes: readonly ResolvedShape[];
  private readonly judge: CaseJudge;
  private readonly winners: WinnerCheck;
  private readonly after: AfterCases;
  private readonly objective: Objective;

  /** Throws `spec-invalid` for shapes that cannot be. */
  constructor(
    private readonly task: EvaluationTask,
    private readonly oracle: OracleSession,
    private readonly runner: KernelRunner,
    /** What runs and judges tasks that are made of this one; without it a winner is asked less. */
    machines?: Machines,
  ) {
    this.judge = new CaseJudge(task, oracle, runner);
    this.after = new AfterCases(task, this.judge);
    this.shapes = task.spec.shapes.map((shape) => resolveShape(task.spec, shape));
    this.objective = new Objective(this.shapes, PricedShape.of(task.spec, oracle));
    if (!this.shapes.some(({ shape }) => shape.heldOut !== true))
      throw new OperationalError("spec-invalid", {
        forUser: "kernel spec: at least one shape must not be held out",
      });
    const { judge, after, shapes } = this;
    this.winners = new WinnerCheck({ task, judge, after, shapes, ...(machines && lentBy(machines, task)) });
  }

  /**
   * Refuses, with `spec-invalid`, a task that an output would pass which was not computed from the inputs:
   * zeros, a constant, an input handed through, the output for other or for shuffled inputs. A kernel that is
   * its own reference and cannot be run is left to its check.
   */
  async register(signal: AbortSignal): Promise<void> {
    const passing = (await this.trivialAnswers(signal)) ?? [];
    if (passing.length === 0) return;
    const { spec } = this.task;
    throw new OperationalError("spec-invalid", {
      forUser: `kernel spec of ${spec.kernel}: the check would also pass for ${passing.join("; ")}. ${remedyFor(spec)}`,
    });
  }

  /** See SimulateLong. */
  async simulate(signal: AbortSignal): Promise<Simulated | undefined> {
    const planned = planCases(this.shapes, "quick")[0];
    invariant(planned, "a task has a shape that is not held out");
    const { shape, variant } = planned;
    const made = await this.oracle.make(shape, variant, signal);
    try {
      const run = await this.judge.baseline.session.run({
        ...{ shape, inputs: made.inputs, signal, counters: true, detectors: false },
        model: "whole",
        sampled: true,
      });
      if (run.kind !== "ran" || run.counters === undefined || run.models === undefined) return undefined;
      if (run.models.every(({ sample }) => sample === undefined)) return undefined;
      const { models, launches, counters, facts } = run;
      return { models, launches, counters, facts, shape: shape.shape };
    } finally {
      await this.oracle.forget(made);
    }
  }

  /**
   * What passes the check of the task without being computed from its inputs, in words. Undefined where the
   * kernel does not run well, so that what it leaves tells nothing.
   */
  async trivialAnswers(signal: AbortSignal): Promise<readonly string[] | undefined> {
    // A recording is always the same, and may be one value: its variant tells more.
    const first = planCases(this.shapes, "quick")[1];
    invariant(first, "a task has a shape that is not held out");
    const [made, again] = [
      await this.judge.baseline.prepare(first, signal),
      await this.judge.baseline.prepare(first, signal),
    ];
    if (!made.ok || !again.ok) return undefined;
    const [one, other] = [made.value, again.value];
    // What a program recorded of whole numbers alone may be indices: it cannot be varied.
    if (one.inputs.every((bytes, index) => Buffer.compare(bytes, other.inputs[index] ?? bytes) === 0))
      return [];
    const permuted = await this.oracle.derive(one, { method: "vary" }, signal);
    if ((await this.judge.baseline.expect(permuted, first, signal)) !== undefined) return undefined;
    const cases = { case: one, other, permuted };
    const passing = await this.oracle.passingTrivially(cases, { spec: this.task.spec, signal });
    for (const each of [one, other, permuted]) await this.oracle.forget(each);
    if (passing.length === 0) return [];
    const { shape } = first;
    const own = await this.judge.baseline.session.run({
      ...{ shape, inputs: one.inputs, signal },
      ...{ counters: false, detectors: true },
    });
    // What a faulty kernel leaves says nothing of the task: its check tells what is wrong with it.
    const isFaulty = own.kind !== "ran" || own.findings.length > 0;
    return this.task.spec.reference.kind === "baseline" && isFaulty ? undefined : passing;
  }

  /** What runs of the baseline say against its workload. */
  doubts(signal: AbortSignal): ReturnType<CaseJudge["doubts"]> {
    const visible = this.shapes.filter(({ shape }) => shape.heldOut !== true);
    const [largest, next] = visible;
    invariant(largest, "a task has a shape that is not held out");
    return this.judge.doubts({ shape: next ?? largest, ...(next && { largest }) }, signal);
  }

  /** Asks what the baseline does on a shape. */
  onBaseline<Result>(
    shape: ResolvedShape["shape"],
    ask: (baseline: CaseJudge["baseline"], shape: ResolvedShape) => Promise<Result>,
  ): Promise<Result> {
    return ask(this.judge.baseline, resolveShape(this.task.spec, shape));
  }

  compile(tree: CheckRequest["tree"], signal: AbortSignal): Promise<CompileOutcome> {
    return this.runner.compile(tree, signal);
  }

  code(tree: CheckRequest["tree"], signal: AbortSignal): Promise<CodeOutcome> {
    return this.runner.code(tree, signal);
  }

  async check(request: CheckRequest): Promise<CheckOutcome> {
    const session = this.judge.start(request.tree);
    try {
      return await this.checkIn(session, request);
    } finally {
      await session.close();
    }
  }

  async challenge(request: ChallengeRequest): Promise<ChallengeOutcome> {
    const session = this.judge.start(request.tree);
    try {
      return await this.winners.challenge(session, request);
    } finally {
      await session.close();
    }
  }

  private async checkIn(session: KernelSession, request: CheckRequest): Promise<CheckOutcome> {
    const ran = await this.runCases(session, request);
    if ("kind" in ran) return ran;
    const { cases, profiled, counted } = ran;
    const passes = cases.every(({ passed }) => passed);
    const { priced } = this.objective;
    if (priced && request.counters && passes) {
      const run = await priced.run(session, request);
      if (run.kind !== "ran")
        return this.after.failed(outcomeOf(run), {
          ...{ planned: priced.planned, judged: cases, left: [], session, request },
        });
      counted.set(priced.shape, run);
    }
    if (request.tier === "full" && passes) {
      const further = await this.winners.run(session, profiled, request);
      if (!isCases(further)) return further;
      cases.push(...further);
    }
    const { cases: told, ...proofs } = await this.after.ended(cases, profiled.lookedAt, { session, request });
    const { target } = this.task;
    const protections = [...(this.oracle.isSecret ? ["secret-inputs"] : []), ...this.runner.protections];
    const outcome = this.objective.outcome({ cases: told, profiled, counted }, { target, protections });
    return withModels({ ...outcome, ...proofs }, request);
  }

  /** Runs the planned cases, up to the first that ends the check. */
  private async runCases(session: KernelSession, request: CheckRequest): Promise<RanCases | CheckOutcome> {
    const cases: CheckedCase[] = [];
    let profiled: Ran | undefined;
    const counted = new Map<ResolvedShape, Ran>();
    const { objective } = this;
    // Detectors take too long over what fills a GPU.
    const watched = new Set(objective.priced ? [objective.priced.shape] : []);
    const hidden = new HiddenDependence(this.judge, inFolder(this.task.specFolder, this.task.spec.file));
    const { tier, signal } = request;
    const plan = objective.cases(tier);
    for (const [index, planned] of plan.entries()) {
      const { shape } = planned;
      tellBegun(request, planned, [index + 1, plan.length]);
      const counters = request.counters && objective.counts(shape, tier) && !counted.has(shape);
      const outcome = await this.judge.run(planned, session, {
        ...{ counters, signal, detectors: request.counters && !watched.has(shape) },
        model: counters ? objective.simulation(shape, request) : undefined,
        // The first case of a full check tells what holds for all sizes.
        proof: request.counters && tier === "full" && index === 0,
      });
      if (outcome.kind !== "judged") {
        const failed =
          outcome.kind === "no-reference"
            ? withoutReference(this.task, request, outcome.failed)
            : await hidden.outcome(outcome.failed, { planned, session, signal });
        const left = plan.slice(index + 1);
        return this.after.failed(failed, { planned, judged: cases, left, session, request });
      }
      const { checked, run } = outcome;
      profiled ??= run;
      if (counters) counted.set(shape, run);
      watched.add(shape);
      const anew = (): KernelSession => this.judge.start(request.tree);
      cases.push(await hidden.added(checked, { planned, run, session, anew, signal }));
    }
    invariant(profiled, "a tier has at least one case");
    return { cases, profiled, counted };
  }

  async close(): Promise<void> {
    await this.judge.baseline.session.close();
    await this.runner.close();
    await this.oracle.close();
  }
}

/** What a winner's check borrows. */
function lentBy(
  { oracle, runner }: Machines,
  task: EvaluationTask,
): Required<Pick<ConstructorParameters<typeof WinnerCheck>[0], "runnerFor" | "judgeOf">> {
  return {
    runnerFor: (architecture) => runner({ ...task, target: { ...task.target, architecture } }),
    judgeOf: (other) => {
      const [values, runs] = [oracle(other), runner(other)];
      const judge = new CaseJudge(other, values, runs);
      const close = async (): Promise<void> => {
        await judge.baseline.session.close();
        await runs.close();
        await values.close();
      };
      return { judge, close };
    },
  };
}

/** An outcome with its simulated launches, where they were asked for. */
function withModels(
  { models, ...outcome }: Extract<CheckOutcome, { kind: "checked" }>,
  { model }: CheckRequest,
): CheckOutcome {
  return model === true && models ? { ...outcome, models } : outcome;
}

/** Lets the one who looks on know which case of a plan begins. */
function tellBegun(
  { onCase }: CheckRequest,
  { shape }: PlannedCase,
  [number, of]: readonly [number, number],
): void {
  onCase?.({ number, of, shape: shape.shape });
}

/** What is to be done about a task that trivial answers pass. */
function remedyFor({ origins = {} }: EvaluationTask["spec"]): string {
  if (Object.keys(origins).length === 0)
    return "Choose inputs, shapes or a tolerance that tell these from a right result";
  if (origins["inputs"] === "recorded")
    return 'What was recorded is varied for this: how near to it do values have to be? State "within" beside "recorded" under "inputs" in the kernel spec, as 0.02 for two hundredths, or record a program whose values tell more';
  return 'Its inputs were made up: which values do they have? State them under "inputs" (distribution) in a kernel spec, which kernelwright spec FILE::KERNEL writes, or record a program that launches it with kernelwright capture';
}
