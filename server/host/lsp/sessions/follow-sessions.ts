import { toOperational } from "../../../core/base/operational-error";
import type { SessionState } from "../../../core/trajectory/reduce";
import { type ServerContext, reviewKey } from "../context";
import { SessionBoard } from "./session-board";
import { toSessionView } from "../views/convert";

/** A client is told of a session at most this often. */
const restMilliseconds = 100;

type Parts = Pick<ServerContext, "connection" | "workspaces" | "reviews" | "refreshLenses" | "background">;

/**
 * The board of the sessions that run in this server, tied to the client: each change is told as the whole
 * view, and a proposal that is ready gets its lens.
 */
export function followSessions(parts: Parts): SessionBoard {
  const { connection, reviews } = parts;
  const folders = new Map<string, string>();
  // One after the other: a client must never see an older state of a session after a newer one.
  let telling = Promise.resolve();
  return new SessionBoard({
    restMilliseconds,
    changed: (sessionId, state, running) => {
      telling = telling.then(() => tellSession({ ...parts, folders }, { sessionId, state, running }));
      parts.background("session", telling);
      telling = telling.catch(() => undefined);
    },
    ended: (uri, sessionId, state) => {
      if (state.task === undefined || state.proposal === undefined) return;
      reviews.set(reviewKey(uri, state.task.kernel), sessionId);
      parts.refreshLenses();
    },
    failed: (sessionId, thrown) =>
      connection.console.error(`session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`),
  });
}

interface ChangedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly running: boolean;
}

interface Teller extends Pick<ServerContext, "connection" | "workspaces"> {
  /** Folders of the sessions that run here, looked up once for each. */
  readonly folders: Map<string, string>;
}

/** Sends the whole view of a session. */
async function tellSession(
  { connection, workspaces, folders }: Teller,
  { sessionId, state, running }: ChangedSession,
): Promise<void> {
  const { services } = await workspaces.first();
  const folder =
    folders.get(sessionId) ??
    (await services.sessions.list()).find((candidate) => candidate.sessionId === sessionId)?.folder ??
    "";
  if (running) folders.set(sessionId, folder);
  else folders.delete(sessionId);
  await connection.sendNotification(
    "kernelwright/sessionChanged",
    toSessionView({ sessionId, folder, status: running ? "running" : "crashed" }, state),
  );
}
