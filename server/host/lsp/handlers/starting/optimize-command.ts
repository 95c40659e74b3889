import { t } from "../../../../core/base/localized";
import * as z from "zod/mini";
import { OperationalError } from "../../../../core/base/operational-error";
import { objectOf, readShape } from "../../../../core/base/shape";
import { projectFileName } from "../../../../core/workload/build/project-file";
import type { OptimizeCommandParams } from "../../../../protocol/requests";
import type { Services } from "../../../services/services";
import { requireTrust } from "../../context";
import type { Handler } from "../handler";
import { budgetOfSettings } from "../sessions/budget";

const commandParams: z.ZodMiniType<OptimizeCommandParams> = objectOf<OptimizeCommandParams>()({
  folder: z.string(),
  name: z.string(),
  seen: z.array(z.string()),
});

/** Begins a session on a target with a command, whose commands the user has seen and agreed to. */
export const optimizeCommand: Handler<"kernelwright/optimizeCommand"> = async (context, params) => {
  requireTrust(context.client, t`Optimize`);
  const read = readShape(commandParams, params);
  if (!read.ok) throw new OperationalError("usage", { forUser: `optimizeCommand: ${read.problem}` });
  const { folder: uri, name, seen } = read.value;
  const places = await context.workspaces.all();
  const place = places.find(({ folder }) => context.workspaces.uriOf(folder, "") === uri);
  if (place === undefined)
    throw new OperationalError("usage", { forUser: `${uri} is no folder of this workspace.` });
  const { services, folder } = place;
  const strategy = strategyOf(services, context.client.settings.strategy);
  const budget = budgetOfSettings(context.client);
  const sessionId = await context.sessions.begin(context.workspaces.uriOf(folder, projectFileName), (link) =>
    services.optimize.startCommand({ name, agreed: true, seen, strategy, budget, messages: [], ...link }),
  );
  return { sessionId };
};

/** The strategy of the settings, where it needs no kernel; else the first that needs none. */
function strategyOf({ catalogue }: Services, wanted: string): string {
  const able = catalogue.strategies.filter(({ forCommands }) => forCommands).map(({ id }) => id);
  return able.includes(wanted) ? wanted : (able[0] ?? wanted);
}
