/**
 * Collects output up to a limit, keeping the beginning and the end: compilers say the first thing first,
 * crashes the last thing last.
 */
export class BoundedOutput {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer = Buffer.alloc(0);
  private dropped = 0;

  /** `limitBytes` is split evenly between beginning and end. */
  constructor(private readonly limitBytes: number) {}

  add(chunk: Buffer): void {
    const room = Math.ceil(this.limitBytes / 2) - this.headBytes;
    const taken = chunk.subarray(0, Math.max(0, room));
    if (taken.length > 0) {
      this.head.push(taken);
      this.headBytes += taken.length;
    }
    const rest = chunk.subarray(taken.length);
    if (rest.length === 0) return;
    const joined = Buffer.concat([this.tail, rest]);
    const kept = joined.subarray(Math.max(0, joined.length - Math.floor(this.limitBytes / 2)));
    this.dropped += joined.length - kept.length;
    this.tail = Buffer.from(kept);
  }

  /** How many bytes in the middle were not kept. */
  get droppedBytes(): number {
    return this.dropped;
  }

  text(): string {
    const gap = this.dropped > 0 ? `\n[${this.dropped} bytes left out]\n` : "";
    return Buffer.concat(this.head).toString("utf8") + gap + this.tail.toString("utf8");
  }
}
