import type { ServerContext } from "../../context";
import { toSessionView } from "../../views/convert-session";
import { type PlacedSession, readSession } from "./session-record";

/** Sends the view of a session as it is on disk now, and gives the session. */
export function tellSession(
  context: Pick<ServerContext, "connection" | "workspaces" | "inTurn">,
  sessionId: string,
): Promise<PlacedSession> {
  return context.inTurn(async () => {
    const placed = await readSession(context, sessionId);
    const view = toSessionView(context.workspaces.withShownFile(placed.summary), placed.state);
    await context.connection.sendNotification("kernelwright/sessionChanged", view);
    return placed;
  });
}
