import { OperationalError } from "../../../../../core/base/operational-error";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

/** Tells the model of a running session something, which it reads before its next turn. */
export const say: Handler<"kernelwright/say"> = async (context, { sessionId, text }) => {
  if (await context.sessions.say(sessionId, text)) return {};
  await readSession(context, sessionId);
  throw new OperationalError("usage", {
    forUser: "This session does not run now. Resume it, then send the message.",
  });
};
