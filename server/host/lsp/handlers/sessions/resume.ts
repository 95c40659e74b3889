import { requireTrust } from "../../context";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** Goes on with a session from its newest checkpoint. */
export const resume: Handler<"kernelwright/resume"> = async (context, { sessionId }) => {
  requireTrust(context.client, "Resume");
  const { services, folder, summary } = await readSession(context, sessionId);
  return {
    sessionId: await context.sessions.begin(context.workspaces.uriOf(folder, summary.file), (link) =>
      services.optimize.resume(sessionId, link),
    ),
  };
};
