import { show } from "../../handshake/user-language";
import type { LoggedEvents } from "../../../../core/ports/run-store";
import type { TimelineStep } from "../../../../core/trajectory/timeline/step";
import { timelineOf } from "../../../../core/trajectory/timeline/timeline";
import { firstSteps, stepsPerReply } from "../../../../protocol/timeline-views";
import { toSessionView } from "../../views/convert-session";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** The next rows, of as many pages of the log as it takes. */
async function stepsAfter(logged: LoggedEvents, after: number): Promise<readonly TimelineStep[]> {
  const most = after === 0 ? firstSteps : stepsPerReply;
  const steps: TimelineStep[] = [];
  for await (const { events, before } of logged.pagesAfter(after)) {
    const limit = most - steps.length;
    steps.push(...show(() => timelineOf(events, { after, limit, before })));
    if (steps.length >= most) break;
  }
  return steps;
}

/** The next rows of a session's timeline, with what the page around them says. */
export const timeline: Handler<"kernelwright/timeline"> = async (context, { sessionId, after }) => {
  const { sessions } = (await context.workspaces.first()).services;
  const opening = after === 0 ? await sessions.opening(sessionId, firstSteps) : undefined;
  // What is on the screen first need not wait until a log of hours is read. The rest is asked for next.
  if (opening !== undefined) {
    context.background("timeline", sessions.read(sessionId, true));
    return {
      session: null,
      steps: show(() => timelineOf(opening)),
      more: true,
      total: opening.length,
      labels: await sessions.annotations.of(sessionId),
    };
  }
  const { services, summary, logged, state } = await readSession(context, sessionId);
  const steps = await stepsAfter(logged, after);
  return {
    session: toSessionView(context.workspaces.withShownFile(summary), state),
    steps,
    more: (steps.at(-1)?.seq ?? after) < state.lastSequence,
    total: logged.count,
    labels: await services.sessions.annotations.of(sessionId),
  };
};
