import { OperationalError } from "../../../../core/base/operational-error";
import type { ServerContext } from "../../context";
import type { Handler } from "../handler";
import { proposalOf } from "./proposal";
import { readSession } from "./session-record";

/** Records a decision that stands in the editor already, with its edits. */
export const decide: Handler<"kernelwright/decide"> = async (context, { sessionId, ...decision }) => {
  const { services } = await readSession(context, sessionId);
  await services.sessions.decide(sessionId, decision);
  context.reviewBoard.decided(sessionId);
  const proposal = await proposalOf(context, await readSession(context, sessionId), { follow: true });
  if (proposal === null)
    throw new OperationalError("session-not-found", { forUser: `Session ${sessionId} has no proposal.` });
  if (proposal.hunks.every((hunk) => hunk.decision !== "open")) forgetReview(context, sessionId);
  return proposal;
};

/** The lens that asks for a review of a session goes. */
export function forgetReview(context: ServerContext, sessionId: string): void {
  for (const [key, waiting] of context.reviews)
    if (waiting.sessionId === sessionId) context.reviews.delete(key);
  context.refreshLenses();
}
