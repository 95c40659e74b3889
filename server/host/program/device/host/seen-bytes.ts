/** A part of what the host has seen. */
interface SeenPiece {
  readonly from: number;
  readonly bytes: number;
}

/** What the program has read, or what its runtime has fetched from an address to keep a copy up to date. */
type Seen = "read" | bigint;

/** Shorter pieces stand in other contents by chance, unless they are what was seen at one time, whole. */
const leastBytes = 256;
/** Bytes that are kept at most, and looked through at most in one case. */
const mostKept = 2 ** 26;
const mostSearched = 2 ** 29;
/** Places of one short content that are looked at. */
const mostPlaces = 64;
/** Zeros around what was copied: memory that nobody has written to yet. */
const filler = 0;

interface Fetched {
  readonly address: bigint;
  readonly content: Buffer;
}

/** Everything that was seen, in one piece: what was read as it came, and behind it what was fetched. */
interface Joined {
  readonly bytes: Buffer;
  readonly read: number;
  /** Where contents begin and end. */
  readonly ends: ReadonlySet<number>;
}

/** The bytes that host code has been given. */
export class SeenBytes {
  private readonly read: Buffer[] = [];
  private readonly fetched: Fetched[] = [];
  private joined: Joined | undefined;
  private kept = 0;
  private searched = 0;

  /** Keeps a copy; what is too much is not known later. */
  add(content: Uint8Array, seen: Seen): void {
    if (content.byteLength === 0 || this.kept + content.byteLength > mostKept) return;
    if (seen === "read") this.read.push(Buffer.from(content));
    else this.fetched.push({ address: seen, content: Buffer.from(content) });
    this.kept += content.byteLength;
    this.joined = undefined;
  }

  /**
   * Which pieces of what was seen a content consists of; zeros may stand before and behind them. Undefined
   * where it holds anything else. `place`: an address in words.
   */
  origin(content: Uint8Array, place: (address: bigint) => string): string | undefined {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const end = bytes.byteLength - zerosBehind(bytes);
    const pieces = this.cover(bytes) ?? this.cover(bytes.subarray(zerosBefore(bytes), Math.max(end, 0)));
    return pieces?.map((piece) => `${this.placeOf(piece.from, place)}:${piece.bytes}`).join();
  }

  private cover(content: Buffer): readonly SeenPiece[] | undefined {
    const pieces: SeenPiece[] = [];
    for (let at = 0; at < content.byteLength;) {
      const behind = pieces.at(-1);
      const next = behind === undefined ? 0 : behind.from + behind.bytes;
      const piece = this.pieceAt(content, at, next);
      if (piece === undefined) return undefined;
      pieces.push(piece);
      at += piece.bytes;
    }
    return pieces.length === 0 ? undefined : pieces;
  }

  /** The piece that a content goes on with, looked for behind the one before and then from the start. */
  private pieceAt(content: Buffer, at: number, next: number): SeenPiece | undefined {
    const left = content.byteLength - at;
    if (left < leastBytes) return this.shortPiece(content, at, next);
    const needle = content.subarray(at, at + leastBytes);
    const from = this.find(needle, next) ?? this.find(needle, 0);
    return from === undefined ? undefined : { from, bytes: this.equalBytes(content, at, from) };
  }

  /** What is left of a content: the end of a longer piece, or bytes that were seen as they are. */
  private shortPiece(content: Buffer, at: number, next: number): SeenPiece | undefined {
    const needle = content.subarray(at);
    const bytes = needle.byteLength;
    if (content.byteLength >= leastBytes) {
      const from = this.find(content.subarray(content.byteLength - leastBytes), 0);
      if (from !== undefined) return { from: from + leastBytes - bytes, bytes };
    }
    let from = this.find(needle, next) ?? this.find(needle, 0);
    for (let place = 0; from !== undefined && place < mostPlaces; place += 1) {
      if (this.all().ends.has(from) && this.all().ends.has(from + bytes)) return { from, bytes };
      from = this.find(needle, from + 1);
    }
    return undefined;
  }

  private find(needle: Buffer, from: number): number | undefined {
    if (this.searched > mostSearched) return undefined;
    const found = this.all().bytes.indexOf(needle, from);
    this.searched += (found < 0 ? this.kept : found) - from;
    return found < 0 ? undefined : found;
  }

  private equalBytes(content: Buffer, at: number, from: number): number {
    const all = this.all().bytes;
    const most = Math.min(content.byteLength - at, all.byteLength - from);
    let equal = leastBytes;
    while (equal < most && content[at + equal] === all[from + equal]) equal += 1;
    return equal;
  }

  /** Where a piece begins: in the order of reading, or at its address. */
  private placeOf(from: number, place: (address: bigint) => string): string {
    let start = this.all().read;
    if (from < start) return String(from);
    for (const { address, content } of this.fetched) {
      if (from < start + content.byteLength) return place(address + BigInt(from - start));
      start += content.byteLength;
    }
    return "";
  }

  private all(): Joined {
    return (this.joined ??= this.join());
  }

  private join(): Joined {
    const contents = [...this.read, ...this.fetched.map(({ content }) => content)];
    const ends = new Set([0]);
    let end = 0;
    for (const { byteLength } of contents) ends.add((end += byteLength));
    const read = this.read.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { bytes: Buffer.concat(contents), read, ends };
  }
}

function zerosBefore(bytes: Buffer): number {
  const found = bytes.findIndex((byte) => byte !== filler);
  return found < 0 ? bytes.byteLength : found;
}

function zerosBehind(bytes: Buffer): number {
  return bytes.byteLength - 1 - bytes.findLastIndex((byte) => byte !== filler);
}
