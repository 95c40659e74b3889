import { talkOf } from "../../../../../core/trajectory/talk/run-talk";
import { show } from "../../../handshake/user-language";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

/** What a session has said so far; of one that runs here the rest comes as `sessionWords`. */
export const listen: Handler<"kernelwright/listen"> = async (context, { sessionId }) => {
  const said = context.sessions.listen(sessionId);
  if (said !== undefined) return { text: said };
  const events = await (await readSession(context, sessionId)).logged.all();
  return { text: show(() => talkOf(events)) };
};
