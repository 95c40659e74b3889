import { at } from "../../../core/base/known";
import { isJsonObject, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { frameLimitBytes, headerLimitBytes } from "./protocol";

/** One message of the worker protocol: a JSON object and the binary frames that followed it. */
export interface WorkerMessage {
  readonly header: JsonObject;
  readonly frames: readonly Uint8Array[];
}

const newline = 0x0a;

function protocolError(problem: string): OperationalError {
  return new OperationalError("worker-protocol", {
    forUser: `the worker broke its protocol: ${problem}; it is started anew for the next request`,
    forModel: "the worker broke its protocol",
  });
}

/** Bytes of one message as they go over the wire; see server/worker/PROTOCOL.md. */
export function encodeMessage(header: JsonObject, frames: readonly Uint8Array[] = []): Uint8Array[] {
  const line = JSON.stringify({ ...header, frames: frames.map((frame) => frame.byteLength) });
  return [Buffer.from(`${line}\n`, "utf8"), ...frames];
}

/**
 * Takes a stream of bytes, cut anywhere, and gives whole messages. After it has thrown the stream cannot be
 * used any more.
 */
export class MessageDecoder {
  private chunks: Buffer[] = [];
  private available = 0;
  private pending:
    | { readonly header: JsonObject; readonly lengths: readonly number[]; readonly frames: Uint8Array[] }
    | undefined;

  /** Throws `worker-protocol` for anything that is no message. */
  push(chunk: Uint8Array): WorkerMessage[] {
    if (chunk.byteLength > 0) {
      this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this.available += chunk.byteLength;
    }
    const complete: WorkerMessage[] = [];
    for (let message = this.next(); message !== undefined; message = this.next()) complete.push(message);
    return complete;
  }

  /** True when the stream may end here: no message has been begun. */
  get idle(): boolean {
    return this.pending === undefined && this.available === 0;
  }

  private next(): WorkerMessage | undefined {
    if (this.pending === undefined) {
      const line = this.takeLine();
      if (line === undefined) return undefined;
      this.pending = readHeader(line);
    }
    const { header, lengths, frames } = this.pending;
    while (frames.length < lengths.length) {
      const length = at(lengths, frames.length);
      if (this.available < length) return undefined;
      frames.push(this.take(length));
    }
    this.pending = undefined;
    return { header, frames };
  }

  private takeLine(): string | undefined {
    let before = 0;
    for (const chunk of this.chunks) {
      const end = chunk.indexOf(newline);
      if (end >= 0) return Buffer.from(this.take(before + end + 1)).toString("utf8", 0, before + end);
      before += chunk.byteLength;
    }
    if (before > headerLimitBytes) throw protocolError(`a header is longer than ${headerLimitBytes} bytes`);
    return undefined;
  }

  /** A copy of the next bytes in memory of its own, so that a frame may be handed to another thread. */
  private take(length: number): Uint8Array {
    const taken = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const chunk = this.chunks[0] ?? Buffer.alloc(0);
      const part = chunk.subarray(0, length - filled);
      taken.set(part, filled);
      filled += part.byteLength;
      if (part.byteLength === chunk.byteLength) this.chunks.shift();
      else this.chunks[0] = chunk.subarray(part.byteLength);
    }
    this.available -= length;
    return taken;
  }
}

function readHeader(line: string): { header: JsonObject; lengths: readonly number[]; frames: Uint8Array[] } {
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {
    throw protocolError(`a line is not JSON: ${JSON.stringify(line.slice(0, 80))}`);
  }
  if (!isJsonObject(header)) throw protocolError("a message is not a JSON object");
  const lengths = header["frames"] ?? [];
  if (!Array.isArray(lengths)) throw protocolError("frames is not a list of lengths");
  const checked = lengths.map(frameLength);
  if (checked.reduce((sum, length) => sum + length, 0) > frameLimitBytes)
    throw protocolError(`its frames are longer than ${frameLimitBytes} bytes together`);
  return { header, lengths: checked, frames: [] };
}

function frameLength(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > frameLimitBytes)
    throw protocolError(`frame length ${JSON.stringify(value)} is not allowed`);
  return value;
}
