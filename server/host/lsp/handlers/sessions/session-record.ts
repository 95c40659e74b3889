import type { SessionRecord, SessionSummary } from "../../../../core/ports/run-store";
import type { ServerContext } from "../../context";
import type { FolderServices } from "../../workspaces";

/** A session, what a list says of it, and the services of the folder that it was recorded in. */
export interface PlacedSession extends FolderServices, SessionRecord {
  readonly summary: SessionSummary;
}

/** Throws `session-not-found`. */
export async function readSession(
  context: Pick<ServerContext, "workspaces">,
  sessionId: string,
): Promise<PlacedSession> {
  const { services: reader } = await context.workspaces.first();
  const record = await reader.sessions.read(sessionId);
  const summary = await reader.sessions.summary(sessionId);
  return { ...(await context.workspaces.byDigest(summary.workspace)), ...record, summary };
}
