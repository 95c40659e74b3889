import type { Handler } from "./handler";

/** Formats, strategies and targets that can be chosen by name. */
export const catalogue: Handler<"kernelwright/catalogue"> = async (context) =>
  (await context.workspaces.first()).services.catalogue;
