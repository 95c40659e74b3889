import type { Handler } from "../../handler";
import { forgetReview } from "../decide";

/** Stops a session that runs in this server; false when none of that name does. */
export const cancel: Handler<"kernelwright/cancel"> = (context, { sessionId }) => {
  const cancelled = context.sessions.cancel(sessionId);
  // Who has stopped a run is not asked any more whether to stop it.
  if (cancelled) forgetReview(context, sessionId);
  return Promise.resolve({ cancelled });
};
