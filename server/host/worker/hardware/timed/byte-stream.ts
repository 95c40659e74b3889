import type { Readable } from "node:stream";

/** Bytes of a stream, in pieces of the size that is asked for. One reader at a time. */
export class ByteStream {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;
  private wake: (() => void) | undefined;

  constructor(stream: Readable) {
    stream.on("data", (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.length += chunk.length;
      this.wake?.();
    });
    const over = (): void => {
      this.isOver = true;
      this.wake?.();
    };
    stream.on("end", over);
    stream.on("close", over);
  }

  /** The next bytes; undefined when the stream ends before them. */
  async take(bytes: number): Promise<Uint8Array | undefined> {
    while (this.length < bytes) {
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const all = this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks);
    const taken = all.subarray(0, bytes);
    const rest = all.subarray(bytes);
    this.chunks.length = 0;
    if (rest.length > 0) this.chunks.push(rest);
    this.length = rest.length;
    return taken;
  }
}
