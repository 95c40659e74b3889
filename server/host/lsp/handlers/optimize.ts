import { readTarget, requireTrust } from "../context";
import { budgetOfSettings } from "./sessions/budget";
import type { Handler } from "./handler";

/**
 * Begins a session and answers with its id as soon as its log exists; what happens then comes as
 * notifications.
 */
export const optimize: Handler<"kernelwright/optimize"> = async (context, params) => {
  requireTrust(context.client, "Optimize");
  const { settings } = context.client;
  const strategy = params.strategy ?? settings.strategy;
  const budget = budgetOfSettings(context.client);
  const target = readTarget(context.client, params.target);
  const { services, file } = await context.workspaces.placeOf(params.uri);
  const sessionId = await context.sessions.begin(params.uri, (link) =>
    services.optimize.start({ file, kernel: params.kernel, target, strategy, budget, ...link }),
  );
  return { sessionId };
};
