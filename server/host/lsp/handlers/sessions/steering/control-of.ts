import { OperationalError } from "../../../../../core/base/operational-error";
import type { ServerContext } from "../../../context";
import type { SteeredRun } from "../../../sessions/session-board";
import { readSession } from "../session-record";

/** Throws `session-not-found`, and `usage` for a session that does not run in this server. */
export async function controlOf(context: ServerContext, sessionId: string): Promise<SteeredRun["control"]> {
  const control = context.sessions.control(sessionId);
  if (control !== undefined) return control;
  await readSession(context, sessionId);
  throw new OperationalError("usage", {
    forUser: "This session does not run now. Resume it first.",
  });
}
