import { known } from "../base/known";
import { OperationalError } from "../base/operational-error";
import type { SourceTree } from "../judge/candidate";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import { baselineId, isTried, type TriedCandidate } from "../trajectory/state";
import type { Recorder } from "./recorder";
import {
  type JudgedCandidate,
  type StandingCandidate,
  type Strategy,
  isStanding,
  judgedCandidate,
} from "./strategy";

interface RegisterParts {
  readonly digest: (tree: SourceTree) => string;
  readonly recorder: Pick<Recorder, "candidates" | "logged" | "loadTree">;
  readonly strategy: Pick<Strategy, "learn">;
}

/** Candidates that a session asks of again and again, whole. */
interface Kept {
  baseline?: JudgedCandidate;
  winner?: StandingCandidate;
  continued?: JudgedCandidate;
  /** The first correct version of a kernel that was wrong. */
  mended?: StandingCandidate;
}

/**
 * Every judged candidate of a session, found by id and by content. A few are kept whole; of the others the
 * log knows what lists say of them, and has the rest on disk.
 */
export class CandidateRegister {
  /** Ids by the digest of the files. */
  private readonly byDigest = new Map<string, string>();
  private readonly kept: Kept = {};

  constructor(private readonly parts: RegisterParts) {}

  /** In the order of proposing, without the baseline. */
  get proposed(): readonly TriedCandidate[] {
    return this.parts.recorder.candidates.filter(isTried).filter(({ id }) => id !== baselineId);
  }

  get baseline(): JudgedCandidate | undefined {
    return this.kept.baseline;
  }

  /** The same once it was judged, which nothing comes before. */
  get start(): JudgedCandidate {
    return known(this.kept.baseline, "the baseline, which is judged first");
  }

  /** The best verified candidate; undefined as long as nothing beats the baseline. */
  get best(): StandingCandidate | undefined {
    return this.kept.winner;
  }

  /** The version of another session that this one goes on from. */
  get continued(): JudgedCandidate | undefined {
    return this.kept.continued;
  }

  /**
   * What costs are told against: the baseline, or the first candidate that was found correct where the
   * baseline is not; undefined as long as nothing is correct.
   */
  get firstCorrect(): StandingCandidate | undefined {
    const { baseline, mended } = this.kept;
    return baseline !== undefined && isStanding(baseline) ? baseline : mended;
  }

  /** What lists say of one that was judged, the baseline too. */
  find(id: string): TriedCandidate | undefined {
    return this.parts.recorder.candidates.filter(isTried).find((record) => record.id === id);
  }

  /** Name of the one with the same files. */
  withFiles(tree: SourceTree): string | undefined {
    return this.byDigest.get(this.parts.digest(tree));
  }

  /** One that was judged. */
  async get(id: string): Promise<JudgedCandidate> {
    return known(await this.judged(id), `candidate ${id}, which was judged`);
  }

  /** One with its files and its verdict; undefined where none has that name. Throws `session-damaged`. */
  async judged(id: string): Promise<JudgedCandidate | undefined> {
    const kept: readonly JudgedCandidate[] = Object.values(this.kept);
    const record = this.find(id);
    return kept.find(({ candidate }) => candidate.id === id) ?? (record && this.read(record));
  }

  /** Keeps what is asked of it again, and tells the strategy. Its verdict stands in the log. */
  adopt(judged: JudgedCandidate, { best }: { readonly best: boolean }): void {
    const { candidate, accepted } = judged;
    const isBaseline = candidate.id === baselineId;
    this.byDigest.set(this.parts.digest(candidate.tree), candidate.id);
    if (isBaseline) this.kept.baseline = judged;
    if (candidate.origin === continuedOrigin) this.kept.continued ??= judged;
    if (isStanding(judged) && accepted && !isBaseline) this.kept.mended ??= judged;
    if (isStanding(judged) && best) this.kept.winner = judged;
    this.parts.strategy.learn?.(judged);
  }

  private async read({
    id,
    parent,
    hypothesis,
    origin,
    tree,
    judgedAt,
  }: TriedCandidate): Promise<JudgedCandidate> {
    const event = await this.parts.recorder.logged.at(judgedAt);
    if (event?.type !== "candidate.staged" || event.data.verdict === null)
      throw new OperationalError("session-damaged", {
        forUser: `Event ${judgedAt} of the session, the verdict on ${id}, cannot be read any more: the log was changed while the session ran.`,
        forModel: `What was found about ${id} cannot be read any more.`,
      });
    const { stage, accepted, reason, verdict } = event.data;
    return judgedCandidate({
      candidate: { id, parent, tree: await this.parts.recorder.loadTree(tree), hypothesis, origin },
      treeId: tree,
      stage,
      accepted,
      reason,
      verdict,
    });
  }
}
