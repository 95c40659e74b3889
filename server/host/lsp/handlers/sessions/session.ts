import { toSessionView } from "../../views/convert-session";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** One session with its candidates. */
export const session: Handler<"kernelwright/session"> = async (context, { sessionId }) => {
  const { summary, state } = await readSession(context, sessionId);
  return toSessionView(context.workspaces.withShownFile(summary), state);
};
