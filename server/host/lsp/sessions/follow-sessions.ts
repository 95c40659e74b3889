import { toOperational } from "../../../core/base/operational-error";
import { type ServerContext, reviewKey } from "../context";
import { type BoardSession, SessionBoard } from "./session-board";
import { toSessionView } from "../views/convert";

type Following = Pick<
  ServerContext,
  "connection" | "workspaces" | "reviews" | "refreshLenses" | "background"
>;

const restMilliseconds = 100;

/** The board of sessions that run here, told to the client: each move as the whole view of the session. */
export function followSessions(following: Following): SessionBoard {
  const { connection, background } = following;
  // One after the other: a client must never see an older state of a session after a newer one.
  let telling = Promise.resolve();
  const inOrder = (what: string, task: () => Promise<void>): void => {
    telling = telling.then(task);
    background(what, telling);
    telling = telling.catch(() => undefined);
  };
  return new SessionBoard({
    restMilliseconds,
    changed: (session, running) => inOrder("session", () => tell(following, session, running)),
    says: (sessionId, text) =>
      background("words", connection.sendNotification("kernelwright/sessionWords", { sessionId, text })),
    ended: (session) => inOrder("review", () => offerReview(following, session)),
    failed: (sessionId, thrown) =>
      connection.console.error(`session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`),
  });
}

async function tell(
  { connection, workspaces }: Following,
  { uri, sessionId }: BoardSession,
  running: boolean,
): Promise<void> {
  const { sessions } = (await workspaces.placeOf(uri)).services;
  const { state } = await sessions.read(sessionId);
  const { folder } = await sessions.summary(sessionId);
  const status = running ? "running" : "crashed";
  await connection.sendNotification(
    "kernelwright/sessionChanged",
    toSessionView({ sessionId, folder, status }, state),
  );
}

/** A session that ended with a proposal gets a lens over its kernel. */
async function offerReview(
  { workspaces, reviews, refreshLenses }: Following,
  { uri, sessionId }: BoardSession,
): Promise<void> {
  const { state } = await (await workspaces.placeOf(uri)).services.sessions.read(sessionId);
  if (state.task === undefined || state.proposal === undefined) return;
  reviews.set(reviewKey(uri, state.task.kernel), sessionId);
  refreshLenses();
}
