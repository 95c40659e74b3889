import { withSharedTexts } from "../base/shared-text";
import { mustGet } from "../base/known";
import type { SourceTree } from "../judge/candidate";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import { restingVerdict } from "./beside/resting-verdict";
import { type JudgedCandidate, type StandingCandidate, isStanding, judgedCandidate } from "./strategy";

/** Every judged candidate of a session, found by id and by content. */
export class CandidateRegister {
  private readonly byDigest = new Map<string, JudgedCandidate>();
  private readonly byId = new Map<string, JudgedCandidate>();
  private winner: StandingCandidate | undefined;

  constructor(private readonly digest: (tree: SourceTree) => string) {}

  /** In the order of proposing, without the baseline. */
  get proposed(): readonly JudgedCandidate[] {
    return [...this.byId.values()].filter((judged) => judged.candidate.id !== "baseline");
  }

  get baseline(): JudgedCandidate | undefined {
    return this.byId.get("baseline");
  }

  /** The best verified candidate; undefined as long as nothing beats the baseline. */
  get best(): StandingCandidate | undefined {
    return this.winner;
  }

  /** The version of another session that this one goes on from. */
  get continued(): JudgedCandidate | undefined {
    return this.proposed.find(({ candidate }) => candidate.origin === continuedOrigin);
  }

  /**
   * What costs are told against: the baseline, or the first candidate that was found correct where the
   * baseline is not; undefined as long as nothing is correct.
   */
  get firstCorrect(): StandingCandidate | undefined {
    const { baseline } = this;
    if (baseline !== undefined && isStanding(baseline)) return baseline;
    return this.proposed.filter(isStanding).find(({ accepted }) => accepted);
  }

  find(id: string): JudgedCandidate | undefined {
    return this.byId.get(id);
  }

  /** One that was judged. */
  get(id: string): JudgedCandidate {
    return mustGet(this.byId, id);
  }

  /** The one with the same files. */
  findEqual(tree: SourceTree): JudgedCandidate | undefined {
    return this.byDigest.get(this.digest(tree));
  }

  /** Keeps it for the rest of the session, in as little memory as it takes. */
  adopt(judged: JudgedCandidate, options: { readonly best: boolean }): void {
    const candidate = { ...judged.candidate, tree: withSharedTexts(judged.candidate.tree) };
    const kept = judgedCandidate({ ...judged, candidate, verdict: restingVerdict(judged.verdict) });
    this.byDigest.set(this.digest(kept.candidate.tree), kept);
    this.byId.set(kept.candidate.id, kept);
    if (options.best && isStanding(kept)) this.winner = kept;
  }
}
