import { OperationalError } from "../../../core/base/operational-error";
import type { SessionLog, SessionRecord, SessionStore } from "../../../core/ports/run-store";
import { carryOver, describeConflicts } from "../../../core/review/carry-over";
import { describeLineage, type Lineage } from "../../../core/trajectory/proposal/lineage";
import { baselineId, type CandidateRecord } from "../../../core/trajectory/state";
import type { SourceTree } from "../../../core/judge/candidate";
import { faultOfPath, type Reach } from "../../../core/agent/dependencies";
import { isCommandTarget } from "../../../core/trajectory/proposal/command-target";
import type { CandidateName, KernelName } from "../services";
import { candidateOf, requireWorkspace } from "../session-service";
import { withoutTask } from "./recorded-task";

/** A candidate that a new session is to go on from. */
interface FoundCandidate {
  readonly sessionId: string;
  readonly candidate: CandidateRecord;
  /** The kernel that it is a version of. */
  readonly name: Required<KernelName>;
  /** What it was made from, and what it is. */
  readonly base: SourceTree;
  readonly proposed: SourceTree;
}

/**
 * Reads the candidate that `from` names. Throws `usage` where it is of another kernel than `name` says, where
 * the session has none to name, and for a baseline; `session-not-found` where it does not exist here.
 */
export async function findCandidate(
  { store, workspaceDigest }: { readonly store: SessionStore; readonly workspaceDigest: string },
  from: CandidateName,
  name: KernelName,
): Promise<FoundCandidate> {
  const { sessionId } = from;
  const record = await store.read(sessionId);
  requireWorkspace(sessionId, record.state, workspaceDigest);
  const { task, baselineTree } = record.state;
  if (task === undefined || baselineTree === undefined) throw withoutTask(sessionId);
  if (isCommandTarget(task.target))
    throw refusal(
      `Session ${sessionId} is about a target with a command; only a kernel's can be gone on from.`,
    );
  const { kernel } = task;
  if (task.file !== name.file || (name.kernel !== undefined && name.kernel !== kernel))
    throw refusal(
      `Session ${sessionId} is about ${task.file}::${kernel}, not ${[name.file, name.kernel].filter(Boolean).join("::")}.`,
    );
  const candidate = namedOf(from, record);
  const base = await store.loadTree(sessionId, baselineTree);
  const proposed = await store.loadTree(sessionId, candidate.tree);
  return { sessionId, candidate, name: { file: task.file, kernel }, base, proposed };
}

function namedOf({ sessionId, candidate }: CandidateName, { state }: SessionRecord): CandidateRecord {
  const id = candidate ?? state.proposal?.candidate ?? state.best;
  if (id === baselineId || (id === undefined && state.candidates.length < 2))
    throw refusal(
      `${id === undefined ? `Session ${sessionId} has no candidate` : "The baseline is the file as it stood"}: optimize without a candidate to go on from.`,
    );
  if (id !== undefined) return candidateOf(sessionId, state, id);
  const ids = state.candidates.map((each) => each.id).filter((each) => each !== baselineId);
  throw refusal(
    `Session ${sessionId} found nothing better than the baseline. Name one of its candidates: ${ids.map((each) => `${sessionId}:${each}`).join(", ")}.`,
  );
}

/** What decides whether a candidate can be gone on from here. */
interface Frame {
  /** The files as they are now. */
  readonly present: SourceTree;
  readonly reach: Reach;
  /** Of the strategy; undefined for one that asks none. */
  readonly model: string | undefined;
}

/** A candidate with its changes in the files as they are now. */
interface PlacedCandidate {
  readonly origin: FoundCandidate;
  readonly tree: SourceTree;
}

/**
 * Puts the candidate's changes into the files as they are now. Throws `usage` where lines that it changes
 * were edited since, where all of it stands there already, where it changes what may not be edited, and for
 * one that is not correct where no model could mend it.
 */
export function takeUp(origin: FoundCandidate, { present, reach, model }: Frame): PlacedCandidate {
  const { sessionId, candidate, base, proposed } = origin;
  const name = describeLineage({ session: sessionId, candidate: candidate.id });
  const { verdict } = candidate;
  if (model === undefined && verdict !== null && verdict.kind !== "correct")
    throw refusal(
      `${capitalized(name)} is not correct, and the rulebook builds on correct versions only. Choose the strategy refine or search: a model can mend it.`,
    );
  const carried = carryOver({ base, proposed }, present);
  if (!carried.ok)
    throw refusal(
      `Lines that ${name} changes were edited since: ${describeConflicts(carried.problem)}. Take the edits back there, or optimize the file as it is now.`,
    );
  const tree = carried.value;
  const changed = Object.keys(tree).filter((path) => tree[path] !== present[path]);
  if (changed.length === 0)
    throw refusal(
      `The changes of ${name} stand in the workspace already: optimize the kernel as it is, without a candidate to go on from.`,
    );
  const [forbidden] = changed.flatMap((path) => faultOfPath(path, tree, reach) ?? []);
  if (forbidden !== undefined) throw refusal(`${capitalized(name)} cannot be gone on from: ${forbidden}.`);
  return { origin, tree };
}

/** Puts the files of the candidate into the log; gives what its first event says of them. */
export async function recordTakenUp(
  log: Pick<SessionLog, "snapshot">,
  { origin, tree }: PlacedCandidate,
  baselineTree: string,
): Promise<Lineage> {
  const { sessionId: session, candidate } = origin;
  const { id, hypothesis } = candidate;
  return { session, candidate: id, tree: await log.snapshot(tree, baselineTree), hypothesis };
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function refusal(forUser: string): OperationalError {
  return new OperationalError("usage", { forUser });
}
