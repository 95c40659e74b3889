import { compareVerdicts } from "../../../judge/comparison";
import type { Verdict } from "../../../judge/verdict";
import type { Feedback, JudgedCandidate, Strategy } from "../../strategy";

/** Candidates without a gain after which a round is left. */
const patience = 4;

interface RoundParts {
  readonly number: number;
  /** Id of the candidate that it starts from. */
  readonly parent: string;
  readonly strategy: Strategy;
  /** Ids of the candidates that it has brought so far; none when left out. */
  readonly own?: readonly string[];
  /** It was left already, when the session was interrupted. */
  readonly isOver?: boolean;
}

/** One conversation, and whether it still gains. */
export class Round {
  readonly number: number;
  readonly parent: string;
  readonly strategy: Strategy;
  /** The verdict on its last candidate, until it is told. */
  owed: Feedback | undefined;
  /** No other round went on beside it: the log's newest conversation is whole and its own. */
  isAlone = true;
  private readonly brought: string[];
  private readonly isOver: boolean;
  /** The best verdict of what it started from and brought. */
  private best: Verdict | undefined;
  private idle = 0;

  constructor({ number, parent, strategy, own = [], isOver = false }: RoundParts) {
    this.number = number;
    this.parent = parent;
    this.strategy = strategy;
    this.brought = [...own];
    this.isOver = isOver;
  }

  /** Ids of the candidates that it brought. */
  get own(): readonly string[] {
    return this.brought;
  }

  /** Whether it is to be left: its last candidates gained nothing on what it had before. */
  get isStalled(): boolean {
    return this.isOver || this.idle >= patience;
  }

  /** What it starts from. */
  startFrom({ verdict }: Pick<JudgedCandidate, "verdict">): void {
    this.best = verdict;
    this.idle = 0;
  }

  /** Takes the verdict on the candidate that it proposed last. */
  bring(judged: JudgedCandidate): void {
    // Of a session that goes on it may have been recalled.
    if (this.brought.includes(judged.candidate.id)) return;
    this.brought.push(judged.candidate.id);
    this.weigh(judged);
  }

  /** Takes a candidate of a session that goes on: its start, or one that it brought. */
  recall(judged: JudgedCandidate): void {
    const { id } = judged.candidate;
    if (id === this.parent) this.startFrom(judged);
    if (this.brought.includes(id)) this.weigh(judged);
  }

  private weigh({ verdict }: JudgedCandidate): void {
    const isGain = isBetter(verdict, this.best);
    this.idle = isGain ? 0 : this.idle + 1;
    if (isGain) this.best = verdict;
  }
}

/** Whether a version is correct, and better than one before it that was. */
function isBetter(verdict: Verdict, before: Verdict | undefined): boolean {
  if (verdict.kind !== "correct") return false;
  return before?.kind !== "correct" || compareVerdicts(verdict, before).kind === "better";
}
