import type { Handler } from "../../handler";

/** Stops a session that runs in this server; false when none of that name does. */
export const cancel: Handler<"kernelwright/cancel"> = (context, { sessionId }) =>
  Promise.resolve({ cancelled: context.sessions.cancel(sessionId) });
