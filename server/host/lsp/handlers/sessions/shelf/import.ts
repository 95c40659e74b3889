import { toSessionView } from "../../../views/convert-session";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

/** Takes in a session from elsewhere, under a new name. */
export const importSession: Handler<"kernelwright/importSession"> = async (context, { path }) => {
  const { services } = await context.workspaces.first();
  const { sessionId, missingTexts } = await services.sessions.shelf.bringIn(path);
  const { summary, state } = await readSession(context, sessionId);
  return { session: toSessionView(context.workspaces.withShownFile(summary), state), missingTexts };
};
