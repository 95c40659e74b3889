import { t } from "../../../../core/base/localized";
import { requireTrust } from "../../context";
import { givenMore } from "../../../../core/trajectory/proposal/more-budget";
import { endedAtBudget } from "../../../../core/trajectory/proposal/endings";
import { budgetOfSettings } from "./budget";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

/**
 * Goes on with a session from its newest checkpoint; one that ended at its limit gets the budget of the
 * settings on top of what it used.
 */
export const resume: Handler<"kernelwright/resume"> = async (context, { sessionId }) => {
  requireTrust(context.client, t`Resume`);
  const { services, folder, summary, state } = await readSession(context, sessionId);
  const more = endedAtBudget(state) ? { budget: givenMore(state, budgetOfSettings(context.client)) } : {};
  // What has said its last word may not have closed its log yet.
  if (state.status !== "open") await context.sessions.ending(sessionId);
  return {
    sessionId: await context.sessions.begin(context.workspaces.uriOf(folder, summary.file), (link) =>
      services.optimize.resume(sessionId, { ...link, ...more }),
    ),
  };
};
