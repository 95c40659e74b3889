import { toOperational } from "../../../core/base/operational-error";
import type { ServerContext } from "../context";
import { readSession } from "../handlers/sessions/session-record";
import { proposalOf } from "../handlers/sessions/proposal";
import { tellSession } from "../handlers/sessions/tell-session";
import { lookAtReview, type ReviewLook } from "./look-at-review";
import { ReviewBoard, type ReviewWork } from "./review-board";
import { takingTurns } from "../tasks";

type Following = Pick<
  ServerContext,
  "connection" | "client" | "documents" | "workspaces" | "background" | "inTurn"
>;

/** How long a text under review must rest before it is checked again, in milliseconds. */
const restMilliseconds = 800;

/** The board of the reviews, tied to the services that judge and to the client that shows what is known. */
export function followReviews(following: Following): ReviewBoard {
  const { connection, client, background } = following;
  // One after the other: a client must never see an older claim after a newer one.
  const inOrder = takingTurns();
  const board: ReviewBoard = new ReviewBoard({
    restMilliseconds,
    mayRun: () => client.trusted,
    look: async (sessionId) => {
      const look = await lookAtReview(following, await readSession(following, sessionId));
      return look === undefined ? undefined : workOf(look);
    },
    group: async (sessionId, signal) =>
      (await readSession(following, sessionId)).services.review.group(sessionId, signal),
    check: async (sessionId, texts, signal) =>
      (await readSession(following, sessionId)).services.review.check(sessionId, { ...texts, signal }),
    changed: (sessionId) => {
      const told = inOrder(() => tell({ ...following, reviewBoard: board }, sessionId));
      background("review", told);
    },
    failed: (sessionId, thrown) =>
      connection.console.error(
        `review of session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`,
      ),
  });
  return board;
}

function workOf({ proposal, uris, subject, digest }: ReviewLook): ReviewWork {
  const isKnown = digest === undefined || proposal.checked?.digest === digest;
  return {
    uris,
    unchecked: subject.kind === "combination" && !isKnown ? { texts: subject.texts, digest } : undefined,
    isUngrouped: proposal.hunks.some((hunk) => hunk.needs === null),
    isDecided: proposal.hunks.every((hunk) => hunk.decision !== "open"),
  };
}

/**
 * Sends what is known of a review, and the session's row, which says how much of its proposal was accepted.
 */
async function tell(
  context: Following & Pick<ServerContext, "reviewBoard">,
  sessionId: string,
): Promise<void> {
  const placed = await readSession(context, sessionId);
  const proposal = await proposalOf(context, placed, { follow: false });
  if (proposal === null) return;
  const { asOf, hunks, review } = proposal;
  await context.connection.sendNotification("kernelwright/reviewChanged", { sessionId, asOf, hunks, review });
  await tellSession(context, sessionId);
}
