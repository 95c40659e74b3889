import { OperationalError } from "../base/operational-error";
import { type Candidate, type SourceTree, type Stage, candidateName } from "../judge/candidate";
import { compareVerdicts, describeComparison } from "../judge/comparison";
import { describeVerdict } from "../words/describe";
import type { Verdict } from "../judge/verdict";
import type { Budget } from "./budget";
import { CandidateRegister } from "./candidate-register";
import { keepLineEndings } from "./line-endings";
import { type LoopTask, factsOf, faultOfPath, reachOf } from "./dependencies";
import type { Judgement, Pipeline } from "./pipeline";
import { firstCorrectReason, whyNoTask } from "./mending/task-of-baseline";
import type { Recorder } from "./recorder";
import type { ResumeState } from "./resume";
import {
  type CandidateProposal,
  type Feedback,
  type SharedContext,
  type JudgedCandidate,
  type Strategy,
  type StrategyContext,
  type Tester,
  type Trials,
  judgedCandidate,
} from "./strategy";
import { stageOf } from "./verdict-of";

interface SessionParts {
  readonly task: LoopTask;
  readonly strategy: Strategy;
  readonly budget: Budget;
  readonly baton: StrategyContext["baton"];
  readonly recorder: Recorder;
  readonly pipeline: Pipeline;
  readonly trials: Trials;
  readonly past: StrategyContext["past"];
  readonly guidance: StrategyContext["guidance"];
  readonly questions: StrategyContext["questions"];
  /** Makes up cases against winners; nobody does when left out. */
  readonly tester: Tester | undefined;
  readonly signal: AbortSignal;
  readonly digest: (tree: SourceTree) => string;
}

/** What the pipeline decided about one candidate. */
interface Decision {
  readonly stage: Stage;
  readonly accepted: boolean;
  readonly reason: string;
  readonly verdict: Verdict;
}

/** What becomes of one proposal. */
type Slot =
  | FreshSlot
  /** The files of a candidate that was proposed beside it. */
  | { readonly kind: "same"; readonly of: string }
  | { readonly kind: "settled"; readonly feedback: Feedback };

interface FreshSlot {
  readonly kind: "fresh";
  readonly candidate: Candidate;
  readonly treeId: string;
}

function isFresh(slot: Slot): slot is FreshSlot {
  return slot.kind === "fresh";
}

/** The candidates of one session and the only way to add one: through every gate, in order, into the log. */
export class Session {
  readonly register: CandidateRegister;
  private created = 0;
  private lostInARow = 0;

  constructor(private readonly parts: SessionParts) {
    this.register = new CandidateRegister(parts);
  }

  /** Judges the baseline in the full tier: whatever comes later is compared with this. */
  async judgeBaseline(options = { announced: false }): Promise<JudgedCandidate> {
    const { task, recorder } = this.parts;
    const candidate: Candidate = {
      id: "baseline",
      parent: undefined,
      tree: task.evaluation.baseline,
      hypothesis: "baseline",
      origin: "baseline",
    };
    if (!options.announced)
      await recorder.append("candidate.created", "engine", {
        candidate: candidate.id,
        parent: null,
        tree: task.baselineTree,
        hypothesis: candidate.hypothesis,
        strategy: candidate.origin,
      });
    const { verdict, lost } =
      (await this.parts.pipeline.build(candidate.id, candidate.tree)) ??
      (await this.parts.pipeline.check(candidate.id, candidate.tree, "full"));
    if (lost) throw lost;
    return this.record(candidate, task.baselineTree, {
      stage: stageOf(verdict),
      accepted: false,
      reason: describeVerdict(verdict),
      verdict,
    });
  }

  /** What the strategy is told. */
  context(feedbacks: readonly Feedback[]): SharedContext {
    const { task, budget, recorder } = this.parts;
    const { best, continued, firstCorrect, proposed } = this.register;
    const baseline = this.register.start;
    return {
      ...factsOf(task.evaluation),
      file: task.file,
      ...reachOf(task),
      baseline,
      firstCorrect,
      best: best ?? baseline,
      candidates: proposed,
      judged: (id) => this.register.judged(id),
      withFiles: (tree) => this.register.withFiles(keepLineEndings(tree, task.evaluation.baseline)),
      ...(continued && { continued }),
      feedback: feedbacks.at(-1),
      feedbacks,
      budget,
      baton: this.parts.baton,
      recorder,
      trials: this.parts.trials,
      past: this.parts.past,
      guidance: this.parts.guidance,
      questions: this.parts.questions,
    };
  }

  /**
   * Puts proposed trees through the pipeline, unless they are no candidates or were judged before. Several
   * are built and checked at the same time; the log has them in their order.
   */
  async consider(proposals: readonly CandidateProposal[]): Promise<readonly Feedback[]> {
    const slots: Slot[] = [];
    for (const proposal of proposals) slots.push(await this.admit(proposal, slots.filter(isFresh)));
    const fresh = slots.filter(isFresh);
    const { pipeline, trials } = this.parts;
    const checks =
      fresh.length > 1
        ? pipeline.startAll(
            fresh.map(({ candidate }) => candidate),
            trials.atOnce,
          )
        : [];
    const feedbacks: Feedback[] = [];
    for (const slot of slots) {
      if (slot.kind === "settled") feedbacks.push(slot.feedback);
      else if (slot.kind === "same")
        feedbacks.push({ kind: "duplicate", of: await this.register.get(slot.of) });
      else {
        const quick = checks[fresh.indexOf(slot)];
        feedbacks.push({ kind: "judged", judged: await this.judge(slot.candidate, slot.treeId, quick) });
      }
    }
    return feedbacks;
  }

  /** Makes a candidate of a proposal, where it is one. `beside`: those that were admitted with it. */
  private async admit(proposal: CandidateProposal, beside: readonly FreshSlot[]): Promise<Slot> {
    const parent = this.register.find(proposal.parent);
    if (!parent)
      throw new OperationalError("usage", {
        forUser: `the strategy named a parent that does not exist: ${proposal.parent}`,
      });
    const fault = faultOf(proposal.tree, this.parts.task);
    if (fault !== undefined) return { kind: "settled", feedback: { kind: "rejected", reason: fault } };
    const tree = keepLineEndings(proposal.tree, this.parts.task.evaluation.baseline);
    const equal = this.register.withFiles(tree);
    if (equal !== undefined)
      return { kind: "settled", feedback: { kind: "duplicate", of: await this.register.get(equal) } };
    const digest = this.parts.digest(tree);
    const same = beside.find(({ candidate }) => this.parts.digest(candidate.tree) === digest);
    if (same) return { kind: "same", of: same.candidate.id };
    const { budget } = this.parts;
    const allowance = budget.beforeCandidate();
    // The first of them was asked for within the budget.
    if (beside.length > 0 && allowance.kind === "limit")
      return { kind: "settled", feedback: { kind: "rejected", reason: allowance.reason } };
    const treeId = await this.parts.recorder.snapshot(tree, parent.tree);
    budget.spendCandidate();
    return { kind: "fresh", candidate: await this.create({ ...proposal, tree }, treeId), treeId };
  }

  /** Judges the version that the session goes on from: its first candidate, which no budget counts. */
  async takeUp(version: Omit<CandidateProposal, "kind">, treeId: string): Promise<void> {
    await this.judge(await this.create(version, treeId), treeId);
  }

  private async create(proposal: Omit<CandidateProposal, "kind">, treeId: string): Promise<Candidate> {
    this.created += 1;
    const { tree, parent, hypothesis, origin } = proposal;
    const id = `c${this.created}`;
    await this.parts.recorder.append("candidate.created", "agent", {
      candidate: id,
      parent,
      tree: treeId,
      hypothesis,
      strategy: origin,
    });
    return { id, parent, tree, hypothesis, origin };
  }

  /**
   * Takes up what the log knows; candidates without a verdict are judged now. Gives the feedback for the
   * newest of those.
   */
  async restore(state: ResumeState): Promise<Feedback | undefined> {
    const unfinished: (readonly [Candidate, string])[] = [];
    for (const logged of state.candidates) {
      const { id, parent, treeId, hypothesis, origin } = logged;
      const isBaseline = id === "baseline";
      const tree = isBaseline
        ? this.parts.task.evaluation.baseline
        : await this.parts.recorder.loadTree(treeId);
      const candidate: Candidate = { id, parent, tree, hypothesis, origin };
      if (!isBaseline) this.created += 1;
      if (logged.judged) {
        const best = id === state.best && !isBaseline;
        this.register.adopt(judgedCandidate({ candidate, treeId, ...logged.judged }), { best });
      } else if (!isBaseline) unfinished.push([candidate, treeId]);
    }
    const baseline =
      this.register.baseline ??
      (await this.judgeBaseline({ announced: state.candidates.some(({ id }) => id === "baseline") }));
    let feedback: Feedback | undefined;
    if (whyNoTask(baseline.verdict, this.parts.task.evaluation) !== undefined) return undefined;
    for (const [candidate, treeId] of unfinished)
      feedback = { kind: "judged", judged: await this.judge(candidate, treeId) };
    return feedback;
  }

  /** `quick`: the check that has begun beside others. */
  private async judge(
    candidate: Candidate,
    treeId: string,
    quick?: () => Promise<Judgement>,
  ): Promise<JudgedCandidate> {
    const judged = await this.record(candidate, treeId, await this.decide(candidate, await quick?.()));
    if (judged.accepted)
      await this.parts.recorder.append("candidate.selected", "engine", {
        candidate: candidate.id,
        reason: judged.reason,
      });
    return judged;
  }

  /** Build, quick tier, comparison; for a winner the full tier, the comparison again, and the tester. */
  private async decide(candidate: Candidate, begun: Judgement | undefined): Promise<Decision> {
    const { pipeline, tester, signal } = this.parts;
    const { id, tree } = candidate;
    // A runner that was lost beside others may be their doing: this one is checked again, alone.
    const alone = begun === undefined || begun.lost !== undefined;
    const judgement = alone
      ? ((await pipeline.build(id, tree)) ?? (await pipeline.check(id, tree, "quick")))
      : begun;
    const quick = this.survive(judgement);
    const first = this.compare(quick);
    if (!first.accepted) return first;
    const full = this.compare(this.survive(await pipeline.check(id, tree, "full")));
    const { verdict, accepted } = full;
    if (!accepted || tester === undefined || verdict.kind !== "correct") return full;
    const refuted = await tester.challenge(
      { candidate, verdict },
      { context: this.context([]), signal, run: (made) => pipeline.challenge(id, tree, made) },
    );
    return refuted === undefined ? full : this.compare(refuted);
  }

  private compare(verdict: Verdict): Decision {
    if (verdict.kind !== "correct" && verdict.kind !== "scored")
      return { stage: stageOf(verdict), accepted: false, reason: describeVerdict(verdict), verdict };
    const champion = this.register.best ?? this.register.firstCorrect;
    if (champion === undefined)
      return { stage: "correct", accepted: true, reason: firstCorrectReason(verdict), verdict };
    const comparison = compareVerdicts(verdict, champion.verdict);
    const reason = describeComparison(comparison, candidateName(champion.candidate.id));
    const accepted = comparison.kind === "better";
    return { stage: accepted ? "faster" : "correct", accepted, reason, verdict };
  }

  /** One lost runner may be the candidate's doing; a second in a row is the machine's. */
  private survive(judgement: Judgement): Verdict {
    this.lostInARow = judgement.lost ? this.lostInARow + 1 : 0;
    if (judgement.lost && this.lostInARow > 1) throw judgement.lost;
    return judgement.verdict;
  }

  private async record(candidate: Candidate, treeId: string, decision: Decision): Promise<JudgedCandidate> {
    const data = { candidate: candidate.id, ...decision };
    await this.parts.recorder.append("candidate.staged", "engine", data);
    const judged = judgedCandidate({ candidate, treeId, ...decision });
    this.register.adopt(judged, { best: decision.accepted });
    return judged;
  }
}

/**
 * Why a tree is no candidate; undefined when it is one. The check is here, after the strategy, so that no
 * tool can go around it.
 */
function faultOf(tree: SourceTree, task: LoopTask): string | undefined {
  const before = task.evaluation.baseline;
  const paths = new Set([...Object.keys(before), ...Object.keys(tree)]);
  const changed = [...paths].filter((path) => before[path] !== tree[path]);
  const reach = reachOf(task);
  const [forbidden] = changed.flatMap((path) => faultOfPath(path, tree, reach) ?? []);
  if (forbidden !== undefined) return forbidden;
  const gone = changed.find((path) => tree[path] === undefined);
  return gone === undefined ? undefined : `${gone} is missing from the proposed files`;
}
