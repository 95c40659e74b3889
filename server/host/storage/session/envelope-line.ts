import { invariant } from "../../../core/base/assert";
import { known } from "../../../core/base/known";
import { blobsOf } from "../../../core/trajectory/blobs";
import type { NewEvent, SessionEvent } from "../../../core/trajectory/events";
import { readEvent } from "../../../core/trajectory/read-event";
import { toStorable } from "../../../core/trajectory/storable";
import type { StoragePorts } from "../storage-ports";

/** The line for an event, without its newline: the envelope in its fixed order, with secrets replaced. */
export function envelopeLine(
  event: NewEvent,
  place: { readonly sequence: number; readonly head: string },
  ports: Pick<StoragePorts, "clock" | "identity" | "redactor">,
): string {
  const { data, unrepresentable } = toStorable(event.data, (text) => ports.redactor.redact(text));
  const blobs = blobsOf(event.type, data);
  return JSON.stringify({
    v: 1,
    seq: place.sequence,
    id: ports.identity.ulid(),
    ts: ports.clock.now(),
    mono_us: ports.clock.monotonicMicroseconds(),
    type: event.type,
    actor: event.actor,
    ...(event.step === undefined ? {} : { step: event.step }),
    branch: "main",
    data,
    ...(unrepresentable.length === 0 ? {} : { unrepresentable }),
    ...(blobs.length === 0 ? {} : { blobs }),
    prev: place.head,
  });
}

/**
 * The event that a reader gets of a line of ours. What we write can be read again; else it is a bug of ours.
 */
export function rereadLine(line: string): SessionEvent {
  const event = known(readEvent(JSON.parse(line)), "the envelope of a new event");
  const fault = event.type === "unread" ? event.data.fault : undefined;
  invariant(fault === undefined, `an event cannot be read back: ${fault}`);
  return event;
}
