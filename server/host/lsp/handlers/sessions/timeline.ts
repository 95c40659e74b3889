import { timelineOf } from "../../../../core/trajectory/timeline/timeline";
import { firstSteps, stepsPerReply } from "../../../../protocol/timeline-views";
import { toSessionView } from "../../views/convert";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** The next rows of a session's timeline, with what the page around them says. */
export const timeline: Handler<"kernelwright/timeline"> = async (context, { sessionId, after }) => {
  const { services, summary, events, state } = await readSession(context, sessionId);
  const limit = after === 0 ? firstSteps : stepsPerReply;
  const steps = timelineOf(events, { after, limit });
  return {
    session: toSessionView(summary, state),
    steps,
    more: (steps.at(-1)?.seq ?? after) < (events.at(-1)?.seq ?? 0),
    total: events.length,
    labels: await services.sessions.annotations.of(sessionId),
  };
};
