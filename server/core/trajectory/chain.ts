import type { SessionEvent } from "./events";
import { readEvent } from "./read-event";

/** `prev` of the first line. */
export const chainStart = "0".repeat(64);

/** sha256 of bytes as 64 lower-case hex digits. */
export type HashBytes = (bytes: Uint8Array) => string;

interface ChainDamage {
  /** Sequence number of the event that was changed or lost. */
  readonly seq: number;
  /** A sentence for the user. */
  readonly reason: string;
}

/** An event, and where its line ends in its segment, in bytes. */
export interface ReadLine {
  readonly event: SessionEvent;
  readonly end: number;
}

const newline = 0x0a;
const lineDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a log as its bytes arrive, segment after segment, and checks sequence and hash chain. What cannot be
 * read at the very end is a torn tail (a crash, or a line being written now); what cannot be read or verified
 * before a line that can is damage.
 */
export class ChainReader {
  /** sha256 of the last line that was read; the `prev` of the next. */
  head = chainStart;
  /** Bytes of the current segment up to the end of its last good line. */
  goodBytes = 0;
  damage: ChainDamage | undefined;
  private carry: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  private consumed = 0;
  private suspect: ChainDamage | undefined;
  private expected = 1;
  private brokenLink: number | undefined;

  constructor(private readonly hash: HashBytes) {}

  /** Takes more bytes of the current segment; gives the events whose lines are now complete. */
  push(bytes: Uint8Array): readonly ReadLine[] {
    const lines: ReadLine[] = [];
    const all = this.carry.length === 0 ? bytes : concatenate(this.carry, bytes);
    let start = 0;
    for (let end = all.indexOf(newline, start); end >= 0; end = all.indexOf(newline, start)) {
      this.consumed += end + 1 - start;
      const event = this.takeLine(all.subarray(start, end));
      if (event !== undefined) lines.push({ event, end: this.consumed });
      start = end + 1;
    }
    this.carry = all.slice(start);
    return lines;
  }

  /**
   * The next bytes are of the next segment. A line without an end in this one can only be damage if more
   * follows.
   */
  endSegment(): void {
    if (this.carry.length > 0)
      this.suspect ??= { seq: this.expected, reason: `event ${this.expected} is cut off` };
    this.carry = new Uint8Array(0);
    this.consumed = 0;
    this.goodBytes = 0;
  }

  /** Bytes after the last good line of the current segment. */
  get tornBytes(): number {
    return this.consumed + this.carry.length - this.goodBytes;
  }

  /** Sequence number of the next event. */
  get nextSequence(): number {
    return this.expected;
  }

  private takeLine(line: Uint8Array): SessionEvent | undefined {
    const event = parseLine(line);
    if (!event) {
      this.suspect ??= { seq: this.expected, reason: `event ${this.expected} cannot be read` };
      return undefined;
    }
    if (this.suspect) this.damage ??= this.suspect;
    this.checkLinks(event);
    this.expected = event.seq + 1;
    this.head = this.hash(line);
    this.goodBytes = this.consumed;
    return event;
  }

  private checkLinks(event: SessionEvent): void {
    const linked = event.prev === this.head;
    if (this.brokenLink !== undefined && !linked) {
      // Both links of the event before are broken: it is the changed one, not the one before it.
      this.damage = {
        seq: this.brokenLink,
        reason: `event ${this.brokenLink} was changed after it was written`,
      };
    }
    this.brokenLink = undefined;
    if (this.damage) return;
    if (event.seq !== this.expected) {
      this.damage = {
        seq: this.expected,
        reason: `event ${this.expected} is missing: event ${event.seq} stands in its place`,
      };
    } else if (!linked) {
      const changed = Math.max(1, event.seq - 1);
      this.damage = { seq: changed, reason: `event ${changed} was changed after it was written` };
      this.brokenLink = event.seq;
    }
  }
}

/** The events of lines that were read and checked before; a line that is no envelope is passed over. */
export function eventsOfLines(bytes: Uint8Array): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const event = parseLine(bytes.subarray(start, end));
    if (event !== undefined) events.push(event);
    start = end + 1;
  }
  return events;
}

/** The event that a line holds, or undefined when the line is no envelope. */
function parseLine(line: Uint8Array): SessionEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(lineDecoder.decode(line));
  } catch {
    return undefined;
  }
  return readEvent(value);
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
