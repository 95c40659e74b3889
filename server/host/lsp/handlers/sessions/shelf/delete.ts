import type { Handler } from "../../handler";
import { forgetReview } from "../decide";

/** Removes a session from the disk; one that runs is refused. */
export const deleteSession: Handler<"kernelwright/deleteSession"> = async (context, { sessionId }) => {
  const { services } = await context.workspaces.first();
  await services.sessions.shelf.remove(sessionId);
  forgetReview(context, sessionId);
  return {};
};
