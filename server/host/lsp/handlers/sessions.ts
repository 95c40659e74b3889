import { toSessionRow } from "../convert";
import type { Handler } from "./handler";

/** All sessions, newest first. */
export const sessions: Handler<"kernelwright/sessions"> = async (context) => {
  const { services } = await context.workspaces.first();
  return (await services.sessions.list()).map(toSessionRow);
};
