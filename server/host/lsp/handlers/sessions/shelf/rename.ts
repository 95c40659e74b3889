import { OperationalError } from "../../../../../core/base/operational-error";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

/** Letters of a name at most. */
const longestName = 80;

/** Gives a session a name of the user's; an empty one takes it away. */
export const renameSession: Handler<"kernelwright/renameSession"> = async (context, { sessionId, name }) => {
  const line = name.trim();
  if (line.length > longestName || /[\r\n]/.test(line))
    throw new OperationalError("usage", {
      forUser: `The name of a session is one line of at most ${longestName} letters.`,
    });
  const { services } = await readSession(context, sessionId);
  await services.sessions.shelf.rename(sessionId, line);
  return {};
};
