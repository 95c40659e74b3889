/** Numbers and texts of the device protocol (PROTOCOL.md): little endian, packed. */

/** A request that ends too early or holds something impossible. */
export class WireError extends Error {
  override readonly name = "WireError";
}

const text = new TextDecoder("utf-8");

/** Reads fields one after the other. Throws WireError behind the end. */
export class WireReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  count(): number {
    return this.view.getUint32(this.take(4), true);
  }

  wide(): bigint {
    return this.view.getBigUint64(this.take(8), true);
  }

  /**
   * A size or an offset. One beyond 2^53 (a negative one, in C++) is too large for anything: it counts as
   * 2^53 - 1.
   */
  size(): number {
    return Math.min(Number(this.wide()), Number.MAX_SAFE_INTEGER);
  }

  text(): string {
    const length = this.count();
    const at = this.take(length);
    return text.decode(this.bytes.subarray(at, at + length));
  }

  /** A view, not a copy. */
  data(length: number): Uint8Array {
    const at = this.take(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Bytes with their length before them. A view, not a copy. */
  sized(): Uint8Array {
    return this.data(this.count());
  }

  /**
   * How many elements a list has, of which each takes four bytes or more. Throws WireError for more than fit.
   */
  listLength(): number {
    const length = this.count();
    if (4 * length > this.bytes.byteLength - this.at)
      throw new WireError(
        `a list of ${length} elements does not fit in the ${this.bytes.byteLength} bytes of a request`,
      );
    return length;
  }

  rest(): Uint8Array {
    return this.data(this.bytes.byteLength - this.at);
  }

  private take(length: number): number {
    const { at } = this;
    if (at + length > this.bytes.byteLength)
      throw new WireError(
        `a request ends after ${this.bytes.byteLength} bytes, but ${at + length} were expected`,
      );
    this.at += length;
    return at;
  }
}

/** Collects fields of a reply. */
export class WireWriter {
  private readonly parts: Buffer[] = [];

  count(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value >>> 0);
    return this.add(part);
  }

  wide(value: bigint | number): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    return this.add(part);
  }

  text(value: string): this {
    const part = Buffer.from(value, "utf8");
    return this.count(part.byteLength).add(part);
  }

  bytes(): Buffer {
    return Buffer.concat(this.parts);
  }

  private add(part: Buffer): this {
    this.parts.push(part);
    return this;
  }
}
