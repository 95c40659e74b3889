import { OperationalError } from "../../../../../core/base/operational-error";
import { baselineId } from "../../../../../core/trajectory/state";
import type { Handler } from "../../handler";
import { forgetReview } from "../decide";
import { readSession } from "../session-record";
import { controlOf } from "./control-of";

/** Ends a run for the best version that it has found so far; its proposal follows with its end. */
export const takeBest: Handler<"kernelwright/takeBest"> = async (context, { sessionId }) => {
  const { state } = await readSession(context, sessionId);
  if (state.best === undefined || state.best === baselineId)
    throw new OperationalError("usage", {
      forUser: "The run has found nothing better yet. Cancel it, or wait for its first better version.",
    });
  await controlOf(context, sessionId);
  context.sessions.takeBest(sessionId);
  // The run is told once: what asked for it goes before the run does.
  forgetReview(context, sessionId);
  return {};
};
