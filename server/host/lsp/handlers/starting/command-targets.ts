import type { CommandTargetView } from "../../../../protocol/requests";
import type { Handler } from "../handler";

/** The targets with a command that the kernelwright.json of each workspace folder names. */
export const commandTargets: Handler<"kernelwright/commandTargets"> = async (context) => {
  const found: CommandTargetView[] = [];
  for (const { services, folder } of await context.workspaces.all())
    for (const target of await services.optimize.commands())
      found.push({ ...target, folder: context.workspaces.uriOf(folder, "") });
  return found;
};
