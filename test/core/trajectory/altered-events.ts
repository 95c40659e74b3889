import { known } from "../../../server/core/base/known";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { readEvent } from "../../../server/core/trajectory/read-event";

/** An event as a reader gets it from a log in which it stands like this. */
export function reread(event: object): SessionEvent {
  return known(readEvent(JSON.parse(JSON.stringify(event))), "an envelope");
}

/** The event with other data, as an altered log or another version would hold it. */
export function withData(event: SessionEvent | undefined, type: string, data: object): SessionEvent {
  return reread({ ...known(event, "an event to alter"), type, data });
}
