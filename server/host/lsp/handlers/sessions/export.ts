import type { Handler } from "../handler";
import { readSession } from "./session-record";

/** A session as text in another format. */
export const exportSession: Handler<"kernelwright/export"> = async (context, { sessionId, format }) => {
  const { services } = await readSession(context, sessionId);
  const { text, fileName } = await services.sessions.export(sessionId, format);
  return { text, fileName };
};
