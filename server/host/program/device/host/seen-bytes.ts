import { lengthClass } from "./spans";

/** A part of a content, from `at` on: it stands in what the host has seen `from` there on, or is zeros. */
interface SeenPiece {
  readonly at: number;
  readonly from: number | "zeros";
  readonly bytes: number;
}

type CopiedPiece = SeenPiece & { readonly from: number };

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
   * Which pieces of what was seen a content consists of, with zeros between and around them. Undefined where
   * it holds anything else. `place`: an address in words. `start`: where the content begins, in bytes of its
   * allocation.
   *
   * Where one piece ends and the next begins is not to be told exactly: bytes behind an end are those of the
   * next piece by chance, zeros above all. Each piece is therefore told by how far it was moved (its place
   * less where it stands now), which does not depend on that, and by a class of its length.
   */
  origin(content: Uint8Array, place: (address: bigint) => string, start = 0): string | undefined {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const before = zerosBefore(bytes);
    const end = bytes.byteLength - zerosBehind(bytes);
    const trimmed = bytes.subarray(before, Math.max(end, before));
    const pieces = this.cover(bytes, 0) ?? this.cover(trimmed, before);
    return pieces?.map((piece) => this.told(piece, start, place)).join();
  }

  /** The pieces of a content that begins `skipped` bytes into another one. */
  private cover(content: Buffer, skipped: number): readonly SeenPiece[] | undefined {
    const pieces: SeenPiece[] = [];
    let next = 0;
    for (let at = 0; at < content.byteLength;) {
      const piece = this.pieceAt(content, at, next);
      if (piece === undefined) return undefined;
      if (piece.from !== "zeros") next = piece.from + piece.bytes;
      pieces.push({ ...piece, at: at + skipped });
      at += piece.bytes;
    }
    return pieces.length === 0 ? undefined : pieces;
  }

  /** The piece that a content goes on with, looked for behind the one before and then from the start. */
  private pieceAt(content: Buffer, at: number, next: number): SeenPiece | undefined {
    const zeros = zerosBefore(content.subarray(at));
    if (zeros >= leastBytes || at + zeros === content.byteLength) return this.behindZeros(content, at, zeros);
    const left = content.byteLength - at;
    if (left < leastBytes) return this.shortPiece(content, at, next);
    const needle = content.subarray(at, at + leastBytes);
    const from = this.find(needle, next) ?? this.find(needle, 0);
    return from === undefined ? undefined : { at, from, bytes: this.equalBytes(content, at, from) };
  }

  /** A piece that begins with so many zeros: zeros alone, unless they were seen in front of what follows. */
  private behindZeros(content: Buffer, at: number, zeros: number): SeenPiece {
    const needle = content.subarray(at + zeros, at + zeros + leastBytes);
    const behind = needle.byteLength < leastBytes ? undefined : this.find(needle, 0);
    const from = behind === undefined ? -1 : behind - zeros;
    const isSeen = from >= 0 && zerosBefore(this.all().bytes.subarray(from, from + zeros)) === zeros;
    if (!isSeen) return { at, from: "zeros", bytes: zeros };
    return { at, from, bytes: this.equalBytes(content, at, from) };
  }

  /** What is left of a content: the end of a longer piece, or bytes that were seen as they are. */
  private shortPiece(content: Buffer, at: number, next: number): CopiedPiece | undefined {
    const needle = content.subarray(at);
    const bytes = needle.byteLength;
    if (content.byteLength >= leastBytes) {
      const from = this.find(content.subarray(content.byteLength - leastBytes), 0);
      if (from !== undefined) return { at, from: from + leastBytes - bytes, bytes };
    }
    let from = this.find(needle, next) ?? this.find(needle, 0);
    for (let place = 0; from !== undefined && place < mostPlaces; place += 1) {
      if (this.all().ends.has(from) && this.all().ends.has(from + bytes)) return { at, from, bytes };
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

  /** A piece in words: how far it was moved, in the order of reading or from its address, and its length. */
  private told({ at, from, bytes }: SeenPiece, start: number, place: (address: bigint) => string): string {
    const length = lengthClass(bytes);
    if (from === "zeros") return `zeros:${length}`;
    const moved = from - (start + at);
    let begin = this.all().read;
    if (from < begin) return `${moved}:${length}`;
    for (const { address, content } of this.fetched) {
      if (from < begin + content.byteLength) return `${place(address)}${signed(moved - begin)}:${length}`;
      begin += content.byteLength;
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

function signed(value: number): string {
  return value < 0 ? String(value) : `+${value}`;
}

function zerosBefore(bytes: Buffer): number {
  const found = bytes.findIndex((byte) => byte !== filler);
  return found < 0 ? bytes.byteLength : found;
}

function zerosBehind(bytes: Buffer): number {
  return bytes.byteLength - 1 - bytes.findLastIndex((byte) => byte !== filler);
}
