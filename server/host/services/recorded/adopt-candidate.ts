import { OperationalError } from "../../../core/base/operational-error";
import { type BaselineVersion, proposalOf } from "../../../core/agent/ending";
import { stageOf } from "../../../core/agent/verdict-of";
import type { CorrectVerdict } from "../../../core/judge/verdict";
import type { SessionRecord } from "../../../core/ports/run-store";
import { baselineId, type CandidateRecord } from "../../../core/trajectory/state";
import { describeVerdict } from "../../../core/words/describe";
import { candidateOf } from "../session-service";
import { wholeVerdict } from "./whole-verdict";
import { judging, type RecordedJudgeOptions, taskOf } from "./recorded-judge";

/** A candidate that the user wants to have as the proposal. */
interface Adoption {
  readonly sessionId: string;
  readonly candidate: string;
  readonly signal: AbortSignal;
}

/**
 * Makes any candidate of a session its proposal, once the full check has found it correct. Throws `usage` for
 * one that is not.
 */
export async function adoptCandidate(options: RecordedJudgeOptions, adoption: Adoption): Promise<void> {
  const { sessionId, candidate: id } = adoption;
  const record = await options.store.read(sessionId);
  const candidate = candidateOf(sessionId, record.state, id);
  const baseline = await baselineOf(options, sessionId, record);
  if (id === baselineId)
    throw refusal("The baseline is the text as it was before: there is nothing to propose.");
  if (record.state.proposal?.candidate === id) return;
  const tree = await options.store.loadTree(sessionId, candidate.tree);
  const verdict = await verified(options, adoption, { record, candidate });
  await options.store.append(sessionId, {
    type: "proposal.ready",
    actor: { kind: "user" },
    data: proposalOf(baseline, { tree, verdict }, id),
  });
}

/** Throws `usage` where the baseline was not judged: what a candidate does for it is not known. */
async function baselineOf(
  { store }: RecordedJudgeOptions,
  sessionId: string,
  record: SessionRecord,
): Promise<BaselineVersion> {
  const baseline = candidateOf(sessionId, record.state, baselineId);
  const verdict = await wholeVerdict(record, baseline);
  if (verdict === null)
    throw refusal("The baseline of this session was not judged, so nothing can be compared with it.");
  return { tree: await store.loadTree(sessionId, baseline.tree), verdict };
}

/**
 * The verdict of the full check: that of the log, or one that is made and recorded now. Throws `usage` for a
 * candidate that is not correct.
 */
async function verified(
  options: RecordedJudgeOptions,
  { sessionId, signal }: Adoption,
  { record, candidate }: { readonly record: SessionRecord; readonly candidate: CandidateRecord },
): Promise<CorrectVerdict> {
  const { id } = candidate;
  const known = await wholeVerdict(record, candidate);
  if (known?.kind === "correct" && known.tier === "full") return known;
  if (known !== null && known.kind !== "correct")
    throw refusal(`Candidate ${id} cannot be proposed: ${describeVerdict(known)}.`);
  const task = await taskOf(options, sessionId, record);
  const tree = await options.store.loadTree(sessionId, candidate.tree);
  const verdict = await judging(options, task, signal, (judge) => judge(tree, "full"));
  signal.throwIfAborted();
  const reason = describeVerdict(verdict);
  await options.store.append(sessionId, {
    type: "candidate.staged",
    actor: { kind: "engine" },
    data: { candidate: id, stage: stageOf(verdict), accepted: false, reason, verdict },
  });
  if (verdict.kind !== "correct") throw refusal(`Candidate ${id} cannot be proposed: ${reason}.`);
  return verdict;
}

function refusal(forUser: string): OperationalError {
  return new OperationalError("usage", { forUser });
}
