import { show } from "../../handshake/user-language";
import { timelineOf } from "../../../../core/trajectory/timeline/timeline";
import { firstSteps, stepsPerReply } from "../../../../protocol/timeline-views";
import { toSessionView } from "../../views/convert-session";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** The next rows of a session's timeline, with what the page around them says. */
export const timeline: Handler<"kernelwright/timeline"> = async (context, { sessionId, after }) => {
  const { sessions } = (await context.workspaces.first()).services;
  const opening = after === 0 ? await sessions.opening(sessionId, firstSteps) : undefined;
  // What is on the screen first need not wait until a log of hours is read.
  if (opening !== undefined)
    return {
      session: null,
      steps: show(() => timelineOf(opening)),
      more: true,
      total: opening.length,
      labels: await sessions.annotations.of(sessionId),
    };
  const { services, summary, events, state } = await readSession(context, sessionId);
  const limit = after === 0 ? firstSteps : stepsPerReply;
  const steps = show(() => timelineOf(events, { after, limit }));
  return {
    session: toSessionView(summary, state),
    steps,
    more: (steps.at(-1)?.seq ?? after) < (events.at(-1)?.seq ?? 0),
    total: events.length,
    labels: await services.sessions.annotations.of(sessionId),
  };
};
