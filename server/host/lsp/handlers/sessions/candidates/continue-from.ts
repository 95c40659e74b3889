import { t } from "../../../../../core/base/localized";
import { OperationalError } from "../../../../../core/base/operational-error";
import { isCommandTarget } from "../../../../../core/trajectory/proposal/command-target";
import { readTarget, requireTrust } from "../../../context";
import type { Handler } from "../../handler";
import { budgetOfSettings } from "../budget";
import { readSession } from "../session-record";

/**
 * Begins a session on the same kernel and target whose first candidate has the changes of one of an earlier
 * session, whatever became of it.
 */
export const continueFrom: Handler<"kernelwright/continueFrom"> = async (
  context,
  { sessionId, candidate },
) => {
  requireTrust(context.client, t`Continue from This Candidate`);
  const { strategy } = context.client.settings;
  const budget = budgetOfSettings(context.client);
  const { services, folder, summary } = await readSession(context, sessionId);
  const { file, kernel } = summary;
  if (isCommandTarget(summary.target))
    throw new OperationalError("usage", {
      forUser: `${kernel} is a target with a command, and a session on one begins with its files. Accept the changes of ${candidate}, then start a session with Optimize Target with a Command.`,
    });
  const target = readTarget(context, undefined, summary.target);
  const from = { sessionId, candidate };
  return {
    sessionId: await context.sessions.begin(context.workspaces.uriOf(folder, file), (link) =>
      services.optimize.start({ file, kernel, target, strategy, budget, from, ...link }),
    ),
  };
};
