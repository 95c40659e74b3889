import { OperationalError } from "../../../../core/base/operational-error";
import type { SessionSummary } from "../../../../core/ports/run-store";
import { type SessionState, reduceSession } from "../../../../core/trajectory/reduce";
import type { SessionEvent } from "../../../../core/trajectory/events";
import type { ServerContext } from "../../context";
import type { FolderServices } from "../../workspaces";

export interface SessionRecord extends FolderServices {
  readonly summary: SessionSummary;
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
}

/** A session with the services of the folder it was recorded in. Throws `session-not-found`. */
export async function readSession(context: ServerContext, sessionId: string): Promise<SessionRecord> {
  const { services: reader } = await context.workspaces.first();
  const { events } = await reader.sessions.events(sessionId);
  const started = events.find((event) => event.type === "session.started");
  const place = await context.workspaces.byDigest(
    started?.type === "session.started" ? started.data.workspace : undefined,
  );
  const summary = (await reader.sessions.list()).find((candidate) => candidate.sessionId === sessionId);
  if (summary === undefined)
    throw new OperationalError("session-not-found", {
      forUser: `There is no session ${sessionId}. It may have been deleted, or kernelwright.sessionsFolder points elsewhere.`,
    });
  return { ...place, summary, events, state: reduceSession(events) };
}
