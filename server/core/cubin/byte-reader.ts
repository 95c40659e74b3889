/** What makes a cubin unreadable: where, and what was expected there. */
export interface CubinProblem {
  readonly kind: "not-a-cubin" | "truncated" | "malformed" | "too-large" | "unsupported-architecture";
  /** One sentence for the user: what was found, and what was expected. */
  readonly message: string;
  /** Byte offset in the file, where one is known. */
  readonly offset?: number;
}

/** Thrown inside this package only; `readCubin` turns it into the problem that it carries. */
export class UnreadableCubin extends Error {
  override readonly name = "UnreadableCubin";
  readonly problem: CubinProblem;

  constructor(problem: CubinProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const decoder = new TextDecoder("utf-8");

/**
 * Bounds the text that one cubin may yield. Strings overlap in string tables, so a small file could otherwise
 * name gigabytes; real cubins stay far below.
 */
export class TextBudget {
  private left = 1 << 24;

  /** Gives the text back, or throws once all texts together are over 16 Mi characters. */
  spend(text: string): string {
    this.left -= text.length;
    if (this.left < 0)
      throw new UnreadableCubin({
        kind: "too-large",
        message: "the names in the cubin take more than 16 MiB",
      });
    return text;
  }
}

/**
 * Little-endian reading that never leaves its window. Every read is checked, so a reader over hostile bytes
 * ends with `UnreadableCubin` and never with garbage; every loop over it consumes at least one byte, so the
 * work is bounded by the size of the file.
 */
export class ByteReader {
  private readonly view: DataView;
  readonly end: number;
  position: number;

  /** @param start First byte of the window. @param end One past its last byte. */
  constructor(
    private readonly bytes: Uint8Array,
    start = 0,
    end = bytes.byteLength,
  ) {
    if (!(start >= 0 && start <= end && end <= bytes.byteLength)) throw truncated(start, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start;
    this.end = end;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  /**
   * A 64-bit number that must be exact as a JavaScript number; offsets and sizes of real files always are.
   */
  u64(): number {
    const at = this.take(8);
    const high = this.view.getUint32(at + 4, true);
    if (high > 0x1fffff)
      throw new UnreadableCubin({
        kind: "malformed",
        message: "a 64-bit offset or size is beyond every file",
        offset: at,
      });
    return high * 0x1_0000_0000 + this.view.getUint32(at, true);
  }

  /** Unsigned LEB128 (DWARF 5, section 7.6), at most ten bytes; a value beyond 2^53 is refused. */
  uleb(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return this.exact(value);
    }
    throw new UnreadableCubin({
      kind: "malformed",
      message: "a variable-length number has no end",
      offset: this.position,
    });
  }

  /** Signed LEB128. */
  sleb(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return this.exact((byte & 0x40) === 0 ? value : value - 2 ** (shift + 7));
    }
    throw new UnreadableCubin({
      kind: "malformed",
      message: "a variable-length number has no end",
      offset: this.position,
    });
  }

  /** A NUL-terminated string. */
  text(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0 || end >= this.end) throw truncated(this.position, this.end);
    const value = decoder.decode(this.bytes.subarray(this.position, end));
    this.position = end + 1;
    return value;
  }

  /** Skips `count` bytes and gives a reader of exactly those. */
  slice(count: number): ByteReader {
    const start = this.take(count);
    return new ByteReader(this.bytes, start, start + count);
  }

  private exact(value: number): number {
    if (!Number.isSafeInteger(value))
      throw new UnreadableCubin({
        kind: "malformed",
        message: "a variable-length number is beyond every file",
        offset: this.position,
      });
    return value;
  }

  private take(count: number): number {
    const at = this.position;
    if (count < 0 || at + count > this.end) throw truncated(at, this.end);
    this.position = at + count;
    return at;
  }
}

function truncated(offset: number, end: number): UnreadableCubin {
  return new UnreadableCubin({
    kind: "truncated",
    message: `the cubin ends at byte ${end}, but more was expected at byte ${offset}: compile the kernel again`,
    offset,
  });
}
