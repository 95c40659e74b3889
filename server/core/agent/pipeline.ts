import { OperationalError } from "../base/operational-error";
import type { SourceTree } from "../judge/candidate";
import { isTrick } from "../base/trick-source";
import { withReviews } from "../judge/reviews";
import type { Diagnostic, Tier, Verdict } from "../judge/verdict";
import type {
  ChallengeOutcome,
  ChallengeRequest,
  CheckOutcome,
  CompileOutcome,
  Evaluation,
} from "../ports/evaluator";
import { isCancellation, untilAborted } from "./abort";
import type { LoopDependencies, LoopTask } from "./dependencies";
import { KeptEvents, Turns } from "./beside/kept-events";
import type { Recorder } from "./recorder";
import { verdictOfCheck, verdictOfCompile } from "./verdict-of";

export interface Judgement {
  readonly verdict: Verdict;
  /** The runner died during this candidate. Two in a row mean that the runner is broken. */
  readonly lost?: OperationalError;
}

export interface PipelineParts {
  readonly evaluation: Evaluation;
  readonly task: LoopTask;
  readonly dependencies: LoopDependencies;
  readonly recorder: Pick<Recorder, "append">;
  readonly signal: AbortSignal;
}

/**
 * parse → compile → check, in this order and never another. Each stage is a job in the log; the first that
 * fails is the verdict.
 */
export class Pipeline {
  private jobs: number;

  /** `jobsBefore`: how many jobs the log holds already. */
  constructor(
    private readonly parts: PipelineParts,
    jobsBefore = 0,
  ) {
    this.jobs = jobsBefore;
  }

  /**
   * Builds and checks several candidates at the same time, as many as the machine has cores for. What each
   * did is written when its turn is taken, so that the log has the candidates in their order.
   */
  startAll(
    candidates: readonly { readonly id: string; readonly tree: SourceTree }[],
    atOnce: number,
  ): readonly (() => Promise<Judgement>)[] {
    const turns = new Turns(atOnce);
    return candidates.map(({ id, tree }) => {
      const kept = new KeptEvents();
      const beside = new Pipeline({ ...this.parts, recorder: kept });
      const judged = turns.take(
        async () => (await beside.build(id, tree)) ?? beside.check(id, tree, "quick"),
      );
      judged.catch(() => undefined);
      return async () => {
        const judgement = await judged;
        await kept.writeTo(this.parts.recorder, this.jobs);
        this.jobs += beside.jobs;
        return judgement;
      };
    });
  }

  /** Parses and compiles; gives a verdict only when one of the two failed. */
  async build(candidate: string, tree: SourceTree): Promise<Judgement | undefined> {
    const { evaluation, signal } = this.parts;
    const syntax = syntaxVerdict(this.parts, tree);
    if (syntax) return { verdict: syntax };
    await this.reached(candidate, "parsed");
    const compiled = await this.job<CompileOutcome>({
      kind: "compile",
      candidate,
      failed: (outcome) => outcome.kind !== "compiled",
      run: () => evaluation.compile(tree, signal),
    });
    if (compiled.kind === "lost") return lostJudgement(compiled.error);
    const verdict = verdictOfCompile(compiled.outcome);
    if (verdict) return { verdict };
    await this.reached(candidate, "compiled");
    return undefined;
  }

  /** Runs the built tree against the oracle and counts. */
  async check(candidate: string, tree: SourceTree, tier: Tier): Promise<Judgement> {
    const { evaluation, signal, task, dependencies } = this.parts;
    const checked = await this.job<CheckOutcome>({
      kind: "check",
      candidate,
      failed: (outcome) => outcome.kind !== "checked",
      run: () => evaluation.check({ tree, tier, counters: true, signal }),
    });
    if (checked.kind === "lost") return lostJudgement(checked.error);
    const verdict = verdictOfCheck(checked.outcome, {
      task: task.evaluation,
      tree,
      tier,
      identity: dependencies.identity,
    });
    if (verdict.kind !== "correct") return { verdict };
    return { verdict: withReviews(verdict, told(this.parts, tree).filter(isTrick)) };
  }

  /**
   * Runs a case that somebody made up on the original and on the tree. A lost runner may be the machine's
   * doing: the case is run once more. The second time it is the candidate's, as the original came through.
   */
  async challenge(
    candidate: string,
    tree: SourceTree,
    made: ChallengeRequest["made"],
  ): Promise<ChallengeOutcome> {
    const { evaluation, signal } = this.parts;
    const { challenge } = evaluation;
    if (challenge === undefined) return { kind: "void", reason: "this target takes no further cases" };
    const work: JobWork<ChallengeOutcome> = {
      kind: "check",
      candidate,
      failed: (outcome) => outcome.kind === "did-not-run",
      run: () => challenge.call(evaluation, { tree, made, signal }),
    };
    const first = await this.job(work);
    const challenged = first.kind === "lost" ? await this.job(work) : first;
    if (challenged.kind === "done") return challenged.outcome;
    return { kind: "did-not-run", reason: challenged.error.forModel, findings: [] };
  }

  /** Reports the stage that a candidate has reached; the last report carries the verdict. */
  private async reached(candidate: string, stage: "parsed" | "compiled"): Promise<void> {
    await this.parts.recorder.append("candidate.staged", "engine", {
      candidate,
      stage,
      accepted: false,
      reason: "",
      verdict: null,
    });
  }

  private async job<Outcome>(
    work: JobWork<Outcome>,
  ): Promise<
    | { readonly kind: "done"; readonly outcome: Outcome }
    | { readonly kind: "lost"; readonly error: OperationalError }
  > {
    const { recorder, signal, dependencies } = this.parts;
    this.jobs += 1;
    const job = `j${this.jobs}`;
    await recorder.append("job.queued", "engine", { job, kind: work.kind, candidate: work.candidate });
    await recorder.append("job.started", "engine", { job });
    const began = dependencies.clock.monotonicMicroseconds();
    const finish = async (status: "ok" | "failed" | "cancelled"): Promise<void> => {
      const duration_ms = Math.round((dependencies.clock.monotonicMicroseconds() - began) / 1000);
      await recorder.append("job.finished", "runner", { job, status, duration_ms });
    };
    let outcome: Outcome;
    try {
      outcome = await untilAborted(signal, work.run);
    } catch (thrown) {
      await finish(isCancellation(thrown, signal) ? "cancelled" : "failed");
      if (!signal.aborted && thrown instanceof OperationalError && lostCodes.has(thrown.code))
        return { kind: "lost", error: thrown };
      throw thrown;
    }
    await finish(work.failed(outcome) ? "failed" : "ok");
    return { kind: "done", outcome };
  }
}

interface JobWork<Outcome> {
  readonly kind: "compile" | "check";
  readonly candidate: string;
  readonly failed: (outcome: Outcome) => boolean;
  readonly run: () => Promise<Outcome>;
}

/** Failures of the runner that a hostile candidate may have caused. */
const lostCodes: ReadonlySet<string> = new Set(["worker-lost", "worker-timeout"]);

function lostJudgement(error: OperationalError): Judgement {
  return { verdict: { kind: "did-not-run", reason: error.forModel, findings: [] }, lost: error };
}

/**
 * The verdict of files with errors of syntax, or with a known trick. A file that does not parse in the
 * baseline either (macros) is left to the compiler.
 */
export function syntaxVerdict(
  { task, dependencies }: Pick<PipelineParts, "task" | "dependencies">,
  tree: SourceTree,
): Extract<Verdict, { kind: "did-not-parse" }> | undefined {
  const diagnostics = told({ task, dependencies }, tree);
  return diagnostics.some((diagnostic) => diagnostic.severity === "error")
    ? { kind: "did-not-parse", diagnostics }
    : undefined;
}

/** Errors of syntax and known tricks in the files that a tree changes. */
function told(
  { task, dependencies }: Pick<PipelineParts, "task" | "dependencies">,
  tree: SourceTree,
): readonly Diagnostic[] {
  const before = task.evaluation.baseline;
  const changed = Object.entries(tree).filter(([path, text]) => before[path] !== text);
  const readable = changed.filter(
    ([path]) => before[path] === undefined || !hasErrors(dependencies, path, before[path]),
  );
  return readable.flatMap(([path, text]) => dependencies.syntaxCheck(path, text, before[path] ?? ""));
}

function hasErrors(dependencies: LoopDependencies, path: string, text: string): boolean {
  return dependencies.syntaxCheck(path, text).some((diagnostic) => diagnostic.severity === "error");
}
