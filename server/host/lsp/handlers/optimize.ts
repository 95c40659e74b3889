import { OperationalError } from "../../../core/base/operational-error";
import { readTarget, requireTrust } from "../context";
import type { Handler } from "./handler";

/**
 * Begins a session and answers with its id as soon as its log exists; what happens then comes as
 * notifications.
 */
export const optimize: Handler<"kernelwright/optimize"> = async (context, params) => {
  requireTrust(context.client, "Optimize");
  const { settings } = context.client;
  const strategy = params.strategy ?? settings.strategy;
  const budget = {
    usd: settings["budget.usd"],
    minutes: settings["budget.minutes"],
    candidates: settings["budget.candidates"],
  };
  if (Object.values(budget).some((limit) => !Number.isFinite(limit) || limit < 0))
    throw new OperationalError("usage", {
      forUser: "kernelwright.budget.* must be zero or a positive number. Correct the settings.",
    });
  const target = readTarget(context.client, params.target);
  const { services, file } = await context.workspaces.placeOf(params.uri);
  const sessionId = await context.sessions.begin(params.uri, (link) =>
    services.optimize.start({ file, kernel: params.kernel, target, strategy, budget, ...link }),
  );
  return { sessionId };
};
