import type { Handler } from "../handlers/handler";

/** Servers of models that answer on this machine. */
export const localModels: Handler<"kernelwright/localModels"> = async (context, _, signal) =>
  (await context.workspaces.first()).services.models.findLocal(signal);
