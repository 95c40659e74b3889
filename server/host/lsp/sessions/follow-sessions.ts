import { show } from "../handshake/user-language";
import { toOperational } from "../../../core/base/operational-error";
import { type ServerContext, reviewKey } from "../context";
import { type BoardSession, SessionBoard } from "./session-board";
import { takingTurns } from "../tasks";
import { toSessionView } from "../views/convert-session";
import { candidateFigures } from "../views/convert-candidate";
import type { SessionState } from "../../../core/trajectory/reduce";
import { baselineId } from "../../../core/trajectory/state";
import type { Services } from "../../services/services";

type Following = Pick<
  ServerContext,
  | "connection"
  | "workspaces"
  | "reviews"
  | "refreshLenses"
  | "background"
  | "documents"
  | "compiles"
  | "inTurn"
>;

/** Sessions of which it was learnt already what their kernel is compiled to. */
type Learnt = Set<string>;

const restMilliseconds = 100;

/** The board of sessions that run here, told to the client: each move as the whole view of the session. */
export function followSessions(following: Following): SessionBoard {
  const { connection, background } = following;
  const learnt: Learnt = new Set();
  // One after the other: what a session ended with is offered after what it had found on the way.
  const inOrder = takingTurns();
  const board: SessionBoard = new SessionBoard({
    restMilliseconds,
    changed: (session, running) =>
      background(
        "session",
        inOrder(() => tell({ ...following, sessions: board, learnt }, session, running)),
      ),
    says: (sessionId, text) =>
      background("words", connection.sendNotification("kernelwright/sessionWords", { sessionId, text })),
    ended: (session) =>
      background(
        "review",
        inOrder(() => offerReview(following, session)),
      ),
    failed: (sessionId, thrown) =>
      connection.console.error(`session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`),
  });
  return board;
}

async function tell(
  following: Following & Pick<ServerContext, "sessions"> & { readonly learnt: Learnt },
  session: BoardSession,
  running: boolean,
): Promise<void> {
  const { connection, workspaces, inTurn } = following;
  const { uri, sessionId } = session;
  const { sessions } = (await workspaces.placeOf(uri)).services;
  const { workspace, file, folder } = await sessions.summary(sessionId);
  const status = running ? "running" : "crashed";
  const summary = workspaces.withShownFile({ sessionId, workspace, file, folder, status } as const);
  const state = await inTurn(async () => {
    const read = await sessions.read(sessionId);
    await connection.sendNotification("kernelwright/sessionChanged", toSessionView(summary, read.state));
    return read.state;
  });
  if (!running) return;
  await learnOfBaseline(following, session, { state, file, sessions });
  // Between its proposal and the end of a run lies what is learnt of it: by then it offers the proposal.
  if (state.ended !== undefined || state.proposal !== undefined) offerFound(following, session, state);
  else if (!following.sessions.isEnding(sessionId)) offerBest(following, session, state);
}

/** What a run compiles its kernel to stands over the kernel, as what a check compiles does. */
async function learnOfBaseline(
  { documents, compiles, refreshLenses, learnt }: Following & { readonly learnt: Learnt },
  { uri, sessionId }: BoardSession,
  {
    state,
    file,
    sessions,
  }: { readonly state: SessionState; readonly file: string; readonly sessions: Services["sessions"] },
): Promise<void> {
  const baseline = state.candidates.find(({ id }) => id === baselineId);
  if (learnt.has(sessionId) || baseline?.verdict?.kind !== "correct") return;
  learnt.add(sessionId);
  const texts = await sessions.candidateTexts(sessionId, baselineId, "nothing");
  const verdict = await sessions.verdict(sessionId, baselineId);
  const document = documents.get(uri);
  const facts = verdict?.kind === "correct" ? verdict.facts : [];
  const [first] = facts;
  const wasMadeOf = texts.find((text) => text.file === file)?.proposed;
  if (document === undefined || first === undefined || document.text !== wasMadeOf) return;
  compiles.learn(document, facts, first.architecture);
  refreshLenses();
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
