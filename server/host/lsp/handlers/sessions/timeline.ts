import { timelineOf } from "../../../../core/trajectory/timeline/timeline";
import { stepsPerReply } from "../../../../protocol/timeline-views";
import { toSessionView } from "../../views/convert";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** The next rows of a session's timeline, with what the page around them says. */
export const timeline: Handler<"kernelwright/timeline"> = async (context, { sessionId, after }) => {
  const { services, summary, events, state } = await readSession(context, sessionId);
  return {
    session: toSessionView(summary, state),
    steps: timelineOf(events, { after, limit: stepsPerReply }),
    total: events.length,
    labels: await services.sessions.annotations.of(sessionId),
  };
};
