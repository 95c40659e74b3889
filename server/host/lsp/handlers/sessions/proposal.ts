import { reviewKey, type ServerContext } from "../../context";
import { lookAtReview } from "../../sessions/look-at-review";
import { toProposalView } from "../../views/convert-proposal";
import { pathOfUri, uriOfPath } from "../../uris";
import type { Handler } from "../handler";
import { baselineId } from "../../../../core/trajectory/state";
import { type PlacedSession, readSession } from "./session-record";

/** The best verified candidate as hunks; null while there is none. From now on its review is kept true. */
export const proposal: Handler<"kernelwright/proposal"> = async (context, { sessionId, moved = [] }) => {
  for (const [from, to] of moved) context.documents.moved.note(from, to);
  const placed = await readSession(context, sessionId);
  noteMoved(context, placed, new Set(moved.flat().map(spelling)));
  const found = await proposalOf(context, placed, { follow: true });
  if (found !== null) noteShown(context, placed);
  return found;
};

/** The lens that offers the proposal goes, or does not come where the client is faster than the run's end. */
function noteShown(
  { reviews, refreshLenses, workspaces }: ServerContext,
  { folder, summary: { sessionId, file, kernel } }: PlacedSession,
): void {
  const key = reviewKey(workspaces.uriOf(folder, file), kernel);
  // Of another session that runs on the kernel now the offer stays.
  if (!reviews.has(key)) reviews.set(key, { sessionId });
  for (const [each, offer] of reviews)
    if (offer.sessionId === sessionId) reviews.set(each, { sessionId, isShown: true });
  refreshLenses();
}

/**
 * A file that an earlier window has seen moved. What the client tells of it is newer: what is kept beside the
 * session may be behind by a rename that is being written.
 */
function noteMoved(
  { documents, workspaces }: ServerContext,
  { folder, state, summary }: PlacedSession,
  told: ReadonlySet<string>,
): void {
  const now = workspaces.uriOf(folder, summary.file);
  const then = workspaces.uriOf(folder, state.task?.file ?? summary.file);
  if (then !== now && !told.has(then) && !told.has(now)) documents.moved.note(then, now);
}

/** One spelling for an address, whoever wrote it. */
function spelling(uri: string): string {
  const path = pathOfUri(uri);
  return path === undefined ? uri : uriOfPath(path);
}

/** The proposal of a session as the log and the texts have it now. */
export async function proposalOf(
  context: Pick<ServerContext, "documents" | "workspaces" | "reviewBoard">,
  placed: PlacedSession,
  { follow }: { readonly follow: boolean },
): Promise<ReturnType<typeof toProposalView> | null> {
  const { sessionId } = placed.summary;
  const { moved } = context.documents;
  const uriOf = (file: string): string => context.workspaces.uriOf(placed.folder, file);
  const look = await lookAtReview(context, placed);
  if (look === undefined) return null;
  const board = context.reviewBoard;
  if (follow) board.follow(sessionId, look.uris);
  const { sessions } = placed.services;
  return toProposalView({
    sessionId,
    makerOf: (origin) => sessions.makerOf(origin),
    asOf: placed.logged.count,
    state: placed.state,
    verdict: await sessions.verdict(sessionId, look.proposal.candidate),
    baseline: await sessions.verdict(sessionId, baselineId),
    texts: look.texts,
    review: {
      ...look,
      isGrouping: board.isGrouping(sessionId),
      isChecking: board.isChecking(sessionId, look.digest),
    },
    uriOf: (file) => moved.placeOf(uriOf(file)),
  });
}
