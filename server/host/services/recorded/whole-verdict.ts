import { OperationalError } from "../../../core/base/operational-error";
import type { SessionRecord } from "../../../core/ports/run-store";
import type { StoredVerdict } from "../../../core/trajectory/events";
import type { CandidateRecord } from "../../../core/trajectory/state";

/** The whole verdict on a candidate, from the log; null where it has none. Throws `session-damaged`. */
export async function wholeVerdict(
  { logged }: Pick<SessionRecord, "logged">,
  { id, judgedAt }: Pick<CandidateRecord, "id" | "judgedAt">,
): Promise<StoredVerdict> {
  if (judgedAt === undefined) return null;
  const event = await logged.at(judgedAt);
  if (event?.type === "candidate.staged") return event.data.verdict;
  throw new OperationalError("session-damaged", {
    forUser: `Event ${judgedAt} of the session, the verdict on ${id}, cannot be read any more.`,
  });
}
