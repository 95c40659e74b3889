import { headerBytes } from "../protocol/messages";
import { WireError } from "../protocol/wire";

export interface Request {
  readonly operation: number;
  readonly body: Uint8Array;
}

/** The window of device memory ends at 4 GiB, and larger transfers come in pieces. */
const bodyLimitBytes = 2 ** 30;

/** Takes a stream of bytes, cut anywhere, and gives whole requests. */
export class RequestDecoder {
  private readonly header = Buffer.alloc(headerBytes);
  private headerFilled = 0;
  private body: Buffer | undefined;
  private bodyFilled = 0;

  /** Throws WireError for a body that is too large. */
  push(chunk: Uint8Array): Request[] {
    const whole: Request[] = [];
    let at = 0;
    while (at < chunk.byteLength || (this.body !== undefined && this.bodyFilled === this.body.byteLength)) {
      if (this.body === undefined) at += this.fillHeader(chunk.subarray(at));
      if (this.body === undefined) break;
      const part = chunk.subarray(at, at + this.body.byteLength - this.bodyFilled);
      this.body.set(part, this.bodyFilled);
      this.bodyFilled += part.byteLength;
      at += part.byteLength;
      if (this.bodyFilled < this.body.byteLength) break;
      whole.push({ operation: this.header.readUInt32LE(0), body: this.body });
      this.body = undefined;
      this.headerFilled = 0;
    }
    return whole;
  }

  /** How many bytes of the chunk belong to the header; begins the body once it is whole. */
  private fillHeader(chunk: Uint8Array): number {
    const part = chunk.subarray(0, headerBytes - this.headerFilled);
    this.header.set(part, this.headerFilled);
    this.headerFilled += part.byteLength;
    if (this.headerFilled < headerBytes) return part.byteLength;
    const length = this.header.readBigUInt64LE(8);
    if (length > bodyLimitBytes)
      throw new WireError(`a request of ${length} bytes is larger than ${bodyLimitBytes}`);
    this.body = Buffer.allocUnsafe(Number(length));
    this.bodyFilled = 0;
    return part.byteLength;
  }
}
