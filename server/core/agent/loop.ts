import { OperationalError, toOperational } from "../base/operational-error";
import { cancelledError, isCancellation, untilAborted } from "./abort";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import { Baton } from "./beside/baton";
import { Budget } from "./budget";
import { type LoopDependencies, type LoopTask, reachOf, subjectOf, treeDigest } from "./dependencies";
import { finish, type LoopResult, type Stop, whyNoTask } from "./ending";
import { noPast, type Past } from "./memory/past";
import { type QuestionParts, Questions } from "./dialogue/user/questions";
import { Pipeline, type PipelineParts } from "./pipeline";
import { Recorder } from "./recorder";
import { resumeState, type Standing, whereItStands } from "./resume";
import { Session } from "./session";
import { trialsOf } from "./trials";
import type { Feedback, Strategy, StrategyContext, Tester } from "./strategy";

export interface LoopInput {
  readonly task: LoopTask;
  readonly strategy: Strategy;
  /** Makes up cases against winners; nobody does when left out. */
  readonly tester?: Tester | undefined;
  readonly dependencies: LoopDependencies;
  readonly signal: AbortSignal;
  /** True when the session goes on with what its log holds; left out for a new one. */
  readonly resume?: boolean;
  /** Earlier sessions on the same kernel; none when left out. */
  readonly past?: Past;
  /** What the user says to the model, now and later. */
  readonly guidance: StrategyContext["guidance"];
  /** Whom a model may ask; nobody when left out. */
  readonly user?: QuestionParts["user"];
}

/** A strategy that repeats itself this many times in a row is ended. */
const idleLimit = 8;

/**
 * Runs one session to its end: baseline, then propose → parse → compile → check → compare → keep or drop
 * until the strategy is done, a limit is reached, the signal fires or something fails. Never throws; whatever
 * happens the log gets its `session.ended` (when it can still be written) and processes are ended. The caller
 * closes the log.
 */
export async function runLoop(input: LoopInput): Promise<LoopResult> {
  const { task, dependencies, signal } = input;
  const recorder = new Recorder(dependencies.log);
  let budget = new Budget(task.budget, dependencies.clock);
  let evaluation: PipelineParts["evaluation"] | undefined;
  let session: Session | undefined;
  let stop: Stop;
  try {
    const { events, used, jobs } = await whereItStands(recorder.logged, input.resume);
    const gpu = (): number | undefined => evaluation?.gpuMicroseconds?.();
    budget = new Budget(task.budget, dependencies.clock, used, gpu);
    input.guidance.control.attach(recorder, budget);
    await input.guidance.keepIn(recorder);
    evaluation = await openEvaluation(input);
    const parts = { evaluation, task, dependencies, recorder, signal };
    const pipeline = new Pipeline(parts, jobs);
    const questions = questionsOf(input, budget);
    session = new Session({
      task,
      strategy: input.strategy,
      budget,
      baton: new Baton(dependencies.clock),
      recorder,
      pipeline,
      trials: trialsOf(parts, dependencies.atOnce),
      past: input.past ?? noPast,
      guidance: input.guidance,
      questions,
      tester: input.tester,
      signal,
      digest: (tree) => treeDigest(tree, dependencies.identity),
    });
    stop = await new Loop(input, { recorder, budget, session, questions, before: events }).run();
  } catch (thrown) {
    stop = stopOf(thrown, input);
  }
  const open = await recorder.seal();
  const result = await finish({
    recorder: new Recorder(dependencies.log),
    open,
    budget,
    session,
    stop,
  });
  const failure = await closeEvaluation(evaluation);
  return failure === undefined ? result : { ...result, reason: `${result.reason} (${failure})` };
}

function questionsOf({ task, signal, user }: LoopInput, budget: Budget): Questions {
  return new Questions({
    user,
    kernel: subjectOf(task.evaluation),
    budget,
    signal,
  });
}

/** A session that was cancelled while it opened still closes what the opening made. */
async function openEvaluation(input: LoopInput): Promise<PipelineParts["evaluation"]> {
  const opening = input.dependencies.evaluator.open(input.task.evaluation, input.signal);
  try {
    return await untilAborted(input.signal, () => opening);
  } catch (thrown) {
    void opening.then((late) => late.close()).catch(() => undefined);
    throw thrown;
  }
}

async function closeEvaluation(
  evaluation: PipelineParts["evaluation"] | undefined,
): Promise<string | undefined> {
  try {
    await evaluation?.close();
    return undefined;
  } catch (thrown) {
    return `the runner did not close cleanly: ${toOperational(thrown, "worker-lost").message}`;
  }
}

class Loop {
  private readonly strategy: Strategy;

  constructor(
    private readonly input: LoopInput,
    private readonly parts: {
      readonly recorder: Recorder;
      readonly budget: Budget;
      readonly session: Session;
      readonly questions: Questions;
      /** Events that the log held when the session went on. */
      readonly before: Standing["events"];
    },
  ) {
    this.strategy = input.strategy;
  }

  async run(): Promise<Stop> {
    const { session } = this.parts;
    const feedback = this.input.resume === true ? await this.restore() : undefined;
    if (this.input.resume !== true) await session.judgeBaseline();
    const fault = whyNoTask(session.register.baseline?.verdict, this.input.task.evaluation);
    if (fault !== undefined) return { kind: "failed", ending: "baseline-not-correct", reason: fault };
    await this.takeUp();
    if (this.input.resume !== true) await this.strategy.survey?.(session.context([]));
    await this.checkpoint();
    return this.search(feedback);
  }

  /** Takes up what the log holds; gives the feedback on what had no verdict yet. */
  private async restore(): Promise<Feedback | undefined> {
    const { recorder, session, questions, before } = this.parts;
    const { guidance, task, tester } = this.input;
    // Nobody holds them after this.
    const events = before.splice(0);
    const state = resumeState(events);
    questions.restore(events);
    await guidance.restore(events, (stored) => recorder.loadText(stored));
    await this.strategy.restore?.({
      events,
      state: state.strategyState,
      ...reachOf(task),
      recorder,
    });
    tester?.restore(events);
    return session.restore(state);
  }

  /** The version that the session goes on from, unless the log holds its verdict. */
  private async takeUp(): Promise<void> {
    const { session } = this.parts;
    const { from } = this.input.task;
    if (from === undefined || session.register.continued !== undefined) return;
    const { tree, treeId, hypothesis } = from;
    await session.takeUp({ tree, hypothesis, parent: "baseline", origin: continuedOrigin }, treeId);
  }

  private async search(last: Feedback | undefined): Promise<Stop> {
    const { session, budget } = this.parts;
    const { signal } = this.input;
    let feedbacks: readonly Feedback[] = last === undefined ? [] : [last];
    let idle = 0;
    for (;;) {
      await this.input.guidance.control.passed(signal);
      const allowance = budget.beforeCandidate();
      if (allowance.kind === "limit") return allowance;
      const context = session.context(feedbacks);
      const proposal = await untilAborted(signal, () => this.strategy.propose(context, signal));
      if (proposal.kind === "done") return { ...proposal, kind: "exhausted" };
      if (proposal.kind !== "candidate" && proposal.kind !== "candidates") return proposal;
      feedbacks = await session.consider(proposal.kind === "candidate" ? [proposal] : proposal.each);
      if (signal.aborted) throw cancelledError();
      const isNew = feedbacks.some(({ kind }) => kind === "judged");
      idle = isNew ? 0 : idle + 1;
      for (const feedback of feedbacks) if (feedback.kind !== "judged") await this.noteIdle(feedback);
      if (isNew) await this.checkpoint();
      if (idle >= idleLimit)
        return {
          kind: "exhausted",
          ending: "repetition",
          reason: `${idle} proposals in a row were nothing new`,
        };
    }
  }

  private async checkpoint(): Promise<void> {
    const { recorder, budget, session } = this.parts;
    const best = session.register.best?.candidate.id ?? null;
    await recorder.append("budget.updated", "engine", {
      limits: budget.limits,
      used: budget.used,
    });
    await recorder.append("checkpoint.created", "engine", {
      best,
      frontier: [best ?? "baseline"],
      state: this.strategy.state(),
    });
  }

  private async noteIdle(feedback: Exclude<Feedback, { kind: "judged" }>): Promise<void> {
    const pattern =
      feedback.kind === "duplicate"
        ? `the proposed files are those of ${feedback.of.candidate.id}`
        : `not a candidate: ${feedback.reason}`;
    await this.parts.recorder.append("loop.detected", "engine", { pattern });
  }
}

function stopOf(thrown: unknown, { signal, guidance }: LoopInput): Stop {
  if (isCancellation(thrown, signal) && guidance.control.wasTaken)
    return { kind: "exhausted", ending: "taken", reason: "you took the best version so far" };
  if (isCancellation(thrown, signal)) return { kind: "cancelled", reason: "cancelled by the user" };
  if (thrown instanceof OperationalError) return { kind: "failed", reason: thrown.message };
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return {
    kind: "failed",
    reason: `an error inside Kernelwright ended the session: ${text}`,
  };
}
