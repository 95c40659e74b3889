import { show } from "../handshake/user-language";
import { toOperational } from "../../../core/base/operational-error";
import { type ServerContext, reviewKey } from "../context";
import { type BoardSession, SessionBoard } from "./session-board";
import { toSessionView } from "../views/convert-session";
import { candidateFigures } from "../views/convert-candidate";
import type { SessionState } from "../../../core/trajectory/reduce";
import { baselineId } from "../../../core/trajectory/state";

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
  const board: SessionBoard = new SessionBoard({
    restMilliseconds,
    changed: (session, running) =>
      inOrder("session", () => tell({ ...following, sessions: board }, session, running)),
    says: (sessionId, text) =>
      background("words", connection.sendNotification("kernelwright/sessionWords", { sessionId, text })),
    ended: (session) => inOrder("review", () => offerReview(following, session)),
    failed: (sessionId, thrown) =>
      connection.console.error(`session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`),
  });
  return board;
}

async function tell(
  following: Following & Pick<ServerContext, "sessions">,
  session: BoardSession,
  running: boolean,
): Promise<void> {
  const { connection, workspaces } = following;
  const { uri, sessionId } = session;
  const { sessions } = (await workspaces.placeOf(uri)).services;
  const { state } = await sessions.read(sessionId);
  const { workspace, file, folder } = await sessions.summary(sessionId);
  const status = running ? "running" : "crashed";
  const summary = workspaces.withShownFile({ sessionId, workspace, file, folder, status } as const);
  await connection.sendNotification("kernelwright/sessionChanged", toSessionView(summary, state));
  if (!running) return;
  // Between its proposal and the end of a run lies what is learnt of it: by then it offers the proposal.
  if (state.ended !== undefined || state.proposal !== undefined) offerFound(following, session, state);
  else if (!following.sessions.isEnding(sessionId)) offerBest(following, session, state);
}

/** A run that goes on offers the best that it has found so far, which the user may end it for. */
function offerBest(
  { reviews, refreshLenses }: Following,
  { uri, sessionId }: BoardSession,
  { task, best, candidates }: SessionState,
): void {
  const found = candidates.find(({ id }) => id === best && id !== baselineId);
  const figure = found && show(() => candidateFigures(candidates)(found));
  if (task === undefined || figure === undefined) return;
  const key = reviewKey(uri, task.kernel);
  const known = reviews.get(key);
  // The client may already show what a run proposes with its last words.
  if (known?.figure === figure || (known?.isShown === true && known.sessionId === sessionId)) return;
  reviews.set(key, { sessionId, figure });
  refreshLenses();
}

async function offerReview(following: Following, session: BoardSession): Promise<void> {
  const { sessions } = (await following.workspaces.placeOf(session.uri)).services;
  offerFound(following, session, (await sessions.read(session.sessionId)).state);
}

/** A session that ended with a proposal gets a lens over its kernel; one without it loses what it offered. */
function offerFound(
  { reviews, refreshLenses }: Following,
  { uri, sessionId }: BoardSession,
  { task, proposal }: SessionState,
): void {
  if (task === undefined) return;
  const key = reviewKey(uri, task.kernel);
  const known = reviews.get(key);
  if (proposal === undefined && known?.sessionId !== sessionId) return;
  if (proposal !== undefined && known?.sessionId === sessionId && known.figure === undefined) return;
  if (proposal === undefined) reviews.delete(key);
  else reviews.set(key, { sessionId });
  refreshLenses();
}
