import { t } from "../../../../core/base/localized";
import * as z from "zod/mini";
import { OperationalError } from "../../../../core/base/operational-error";
import { normalizePath } from "../../../../core/base/path-rules";
import { objectOf, readShape } from "../../../../core/base/shape";
import type { BudgetView, OptimizeParams } from "../../../../protocol/requests";
import type { RunningSession } from "../../../services/services";
import { readTarget, requireTrust, type ServerContext } from "../../context";
import type { SessionLink } from "../../sessions/session-board";
import { budgetOfSettings } from "../sessions/budget";
import type { Handler } from "../handler";

const quantity = z.number().check(z.nonnegative());

const optimizeParams: z.ZodMiniType<OptimizeParams> = objectOf<OptimizeParams>()({
  uri: z.string(),
  kernel: z.string(),
  strategy: z.optional(z.string()),
  target: z.optional(z.string()),
  budget: z.optional(
    objectOf<BudgetView>()({
      usd: quantity,
      minutes: quantity,
      candidates: quantity.check(z.multipleOf(1)),
      tokens: z.optional(quantity),
      gpuMinutes: z.optional(quantity),
    }),
  ),
  mayTouch: z.optional(z.array(z.string())),
  messages: z.optional(z.array(z.string())),
});

/**
 * Finds out how a kernel is run, begins a session and answers with its id as soon as its log exists; what
 * happens then comes as notifications.
 */
export const optimize: Handler<"kernelwright/optimize"> = async (context, params, signal) => {
  requireTrust(context.client, t`Optimize`);
  const read = readShape(optimizeParams, params);
  if (!read.ok) throw new OperationalError("usage", { forUser: `optimize: ${read.problem}` });
  const { uri, kernel, mayTouch, messages = [], ...chosen } = read.value;
  const strategy = chosen.strategy ?? context.client.settings.strategy;
  const budget = chosen.budget ?? budgetOfSettings(context.client);
  const target = readTarget(context, uri, chosen.target);
  const { services, file, folder } = await context.workspaces.placeOf(uri);
  const reach = mayTouch && { mayTouch: mayTouch.map(insideWorkspace) };
  const start = async (link: SessionLink): Promise<RunningSession> => {
    const asked = { file, kernel, target, strategy, budget, messages, ...reach, ...link };
    const running = await services.optimize.start(asked);
    if (running.made !== undefined) show(context, context.workspaces.uriOf(folder, running.made));
    return running;
  };
  const sessionId = await context.sessions.begin(uri, start, signal);
  return { sessionId };
};

/** Opens a file that was made for a kernel which nobody had written. */
function show({ connection, background }: ServerContext, uri: string): void {
  background("new file", connection.window.showDocument({ uri, takeFocus: false }));
}

function insideWorkspace(path: string): string {
  const inside = normalizePath(path);
  if (inside !== undefined) return inside;
  throw new OperationalError("path-outside-workspace", {
    forUser: `${path} lies outside of the workspace folder and may not be changed.`,
  });
}
