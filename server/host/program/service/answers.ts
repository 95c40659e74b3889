import type { Outcome } from "../../../core/base/outcome";
import type { DeviceProblem } from "../device/statuses";
import { headerBytes, type OperationName, statuses } from "../protocol/messages";
import { type WireReader, WireWriter } from "../protocol/wire";

/** One reply as it goes over the wire; the body is not copied. */
interface Reply {
  readonly status: number;
  readonly body: Uint8Array;
}

/** A reply, and what is to be done once it is on its way. */
export interface Answer {
  readonly reply: Reply;
  readonly afterwards?: () => void;
}

/**
 * How the operations of one kind are answered. Handlers throw WireError for a body that is not their
 * operation's.
 */
export type Handlers<Names extends OperationName> = Readonly<Record<Names, (reader: WireReader) => Answer>>;

const nothing = new Uint8Array();

export function done(body: Uint8Array = nothing): Answer {
  return { reply: { status: statuses.success, body } };
}

export function failed({ status, message }: DeviceProblem): Answer {
  return { reply: { status, body: Buffer.from(message, "utf8") } };
}

/** Answers with what was made, written by `body`, or with the problem. */
export function answer<Value>(
  outcome: Outcome<Value, DeviceProblem>,
  body: (value: Value) => Uint8Array = () => nothing,
): Answer {
  return outcome.ok ? done(body(outcome.value)) : failed(outcome.problem);
}

/** The body that a writer of messages.ts makes of a value. */
export function written<Value>(write: (writer: WireWriter, value: Value) => void, value: Value): Uint8Array {
  const writer = new WireWriter();
  write(writer, value);
  return writer.bytes();
}

export function replyHeader({ status, body }: Reply): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(status, 0);
  header.writeBigUInt64LE(BigInt(body.byteLength), 8);
  return header;
}
