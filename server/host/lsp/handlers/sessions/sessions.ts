import { toSessionRow } from "../../views/convert-session";
import type { Handler } from "../handler";

/** The sessions of the open folders, newest first: the paths of any other would name other files here. */
export const sessions: Handler<"kernelwright/sessions"> = async (context) => {
  const { services } = await context.workspaces.first();
  return (await services.sessions.list())
    .filter((summary) => context.workspaces.holds(summary.workspace))
    .map((summary) => toSessionRow(context.workspaces.withShownFile(summary)));
};
