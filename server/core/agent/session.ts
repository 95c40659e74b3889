import { invariant } from "../base/assert";
import { OperationalError } from "../base/operational-error";
import { type Candidate, type SourceTree, type Stage, candidateName } from "../judge/candidate";
import { compareVerdicts, describeComparison } from "../judge/comparison";
import { describeVerdict } from "../words/describe";
import type { Verdict } from "../judge/verdict";
import type { Budget } from "./budget";
import { CandidateRegister } from "./candidate-register";
import { keepLineEndings } from "./line-endings";
import { type LoopTask, editablePaths, isCommandTask } from "./dependencies";
import type { Judgement, Pipeline } from "./pipeline";
import type { Recorder } from "./recorder";
import type { ResumeState } from "./resume";
import {
  type CommandContext,
  type Feedback,
  type SharedContext,
  type JudgedCandidate,
  type Proposal,
  type Strategy,
  type StrategyContext,
  type Trials,
  isStanding,
} from "./strategy";
import { stageOf } from "./verdict-of";

export interface SessionParts {
  readonly task: LoopTask;
  readonly strategy: Strategy;
  readonly budget: Budget;
  readonly recorder: Recorder;
  readonly pipeline: Pipeline;
  readonly trials: Trials;
  readonly past: StrategyContext["past"];
  readonly guidance: StrategyContext["guidance"];
  readonly questions: StrategyContext["questions"];
  readonly digest: (tree: SourceTree) => string;
}

/** What the pipeline decided about one candidate. */
interface Decision {
  readonly stage: Stage;
  readonly accepted: boolean;
  readonly reason: string;
  readonly verdict: Verdict;
}

/** The candidates of one session and the only way to add one: through every gate, in order, into the log. */
export class Session {
  readonly register: CandidateRegister;
  private created = 0;
  private lostInARow = 0;

  constructor(private readonly parts: SessionParts) {
    this.register = new CandidateRegister(parts.digest);
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
    const baseline = await this.record(candidate, task.baselineTree, {
      stage: stageOf(verdict),
      accepted: false,
      reason: describeVerdict(verdict),
      verdict,
    });
    this.register.adopt(baseline, { best: false });
    return baseline;
  }

  /** What the strategy is told. */
  context(feedback: Feedback | undefined): SharedContext {
    const { task, budget, recorder } = this.parts;
    const { baseline, best, proposed } = this.register;
    invariant(
      baseline && isStanding(baseline),
      "a strategy is asked only after the baseline was found correct",
    );
    return {
      ...factsOf(task.evaluation),
      file: task.file,
      editable: editablePaths(task),
      baseline,
      best: best ?? baseline,
      candidates: proposed,
      feedback,
      budget,
      recorder,
      trials: this.parts.trials,
      past: this.parts.past,
      guidance: this.parts.guidance,
      questions: this.parts.questions,
    };
  }

  /** Puts a proposed tree through the pipeline, unless it is no candidate or was judged before. */
  async consider(proposal: Extract<Proposal, { kind: "candidate" }>): Promise<Feedback> {
    const parent = this.register.find(proposal.parent);
    if (!parent)
      throw new OperationalError("usage", {
        forUser: `the strategy named a parent that does not exist: ${proposal.parent}`,
      });
    const fault = faultOf(proposal.tree, this.parts.task);
    if (fault !== undefined) return { kind: "rejected", reason: fault };
    const tree = keepLineEndings(proposal.tree, this.parts.task.evaluation.baseline);
    const known = this.register.findEqual(tree);
    if (known) return { kind: "duplicate", of: known };
    const { recorder, budget } = this.parts;
    const treeId = await recorder.snapshot(tree, parent.treeId);
    this.created += 1;
    const candidate: Candidate = {
      id: `c${this.created}`,
      parent: proposal.parent,
      tree,
      hypothesis: proposal.hypothesis,
      origin: proposal.origin,
    };
    budget.spendCandidate();
    await recorder.append("candidate.created", "agent", {
      candidate: candidate.id,
      parent: proposal.parent,
      tree: treeId,
      hypothesis: candidate.hypothesis,
      strategy: candidate.origin,
    });
    return { kind: "judged", judged: await this.judge(candidate, treeId) };
  }

  /**
   * Takes up what the log knows; candidates without a verdict are judged now. Gives the feedback for the
   * newest of those.
   */
  async restore(state: ResumeState): Promise<Feedback | undefined> {
    const unfinished: (readonly [Candidate, string])[] = [];
    for (const known of state.candidates) {
      const tree =
        known.id === "baseline"
          ? this.parts.task.evaluation.baseline
          : await this.parts.recorder.loadTree(known.treeId);
      const candidate: Candidate = {
        id: known.id,
        parent: known.parent,
        tree,
        hypothesis: known.hypothesis,
        origin: known.origin,
      };
      if (known.id !== "baseline") this.created += 1;
      if (known.judged)
        this.register.adopt(
          { candidate, treeId: known.treeId, ...known.judged },
          { best: known.id === state.best && known.id !== "baseline" },
        );
      else if (known.id !== "baseline") unfinished.push([candidate, known.treeId]);
    }
    const baseline =
      this.register.baseline ??
      (await this.judgeBaseline({ announced: state.candidates.some((known) => known.id === "baseline") }));
    let feedback: Feedback | undefined;
    if (isStanding(baseline)) {
      for (const [candidate, treeId] of unfinished)
        feedback = { kind: "judged", judged: await this.judge(candidate, treeId) };
    }
    return feedback;
  }

  private async judge(candidate: Candidate, treeId: string): Promise<JudgedCandidate> {
    const judged = await this.record(candidate, treeId, await this.decide(candidate));
    this.register.adopt(judged, { best: judged.accepted });
    if (judged.accepted)
      await this.parts.recorder.append("candidate.selected", "engine", {
        candidate: candidate.id,
        reason: judged.reason,
      });
    return judged;
  }

  /** Build, quick tier, comparison, and for a winner the full tier and the comparison again. */
  private async decide(candidate: Candidate): Promise<Decision> {
    const { pipeline } = this.parts;
    const failed = await pipeline.build(candidate.id, candidate.tree);
    const quick = this.survive(failed ?? (await pipeline.check(candidate.id, candidate.tree, "quick")));
    const first = this.compare(quick);
    if (!first.accepted) return first;
    return this.compare(this.survive(await pipeline.check(candidate.id, candidate.tree, "full")));
  }

  private compare(verdict: Verdict): Decision {
    if (verdict.kind !== "correct" && verdict.kind !== "scored")
      return { stage: stageOf(verdict), accepted: false, reason: describeVerdict(verdict), verdict };
    const champion = this.register.best ?? this.register.baseline;
    invariant(
      champion && isStanding(champion),
      "candidates are compared only after the baseline was found correct",
    );
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
    await this.parts.recorder.append("candidate.staged", "engine", { candidate: candidate.id, ...decision });
    return { candidate, treeId, ...decision };
  }
}

/** What a strategy knows of this kind of task alone. */
function factsOf(task: LoopTask["evaluation"]): Pick<StrategyContext, "spec"> | Pick<CommandContext, "task"> {
  if (isCommandTask(task)) return { task };
  return { spec: { ...task.spec, shapes: task.spec.shapes.filter((shape) => shape.heldOut !== true) } };
}

/**
 * Why a tree is no candidate; undefined when it is one. The check is here, after the strategy, so that no
 * tool can go around it.
 */
function faultOf(tree: SourceTree, task: LoopTask): string | undefined {
  const before = task.evaluation.baseline;
  const paths = new Set([...Object.keys(before), ...Object.keys(tree)]);
  const changed = [...paths].filter((path) => before[path] !== tree[path]);
  const editable = editablePaths(task);
  const forbidden = changed.find((path) => !editable.includes(path));
  if (forbidden !== undefined) return `${forbidden} may not be changed; these may: ${editable.join(", ")}`;
  const gone = changed.find((path) => tree[path] === undefined);
  return gone === undefined ? undefined : `${gone} is missing from the proposed files`;
}
