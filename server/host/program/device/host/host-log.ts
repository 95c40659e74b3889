import { createHash } from "node:crypto";
import { noHostCalls } from "../../../../core/timing/host/host-calls";
import type { HostTraffic, LentBuffer } from "../../../../core/ports/entry-programs";
import { isOneValue, linearAddress } from "../../../../core/vgpu/index";
import type { DeviceStore, MemoryLog } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import { HostActs } from "./host-acts";
import { HostCallCount } from "./host-call-count";
import { SeenBytes } from "./seen-bytes";
import { joinedSpans, lengthClass, type Span } from "./spans";

/** Contents of this many allocations are kept at most; a program that makes more is telling enough. */
const mostContents = 64;
/** Fewer bytes are the same in many places. */
const leastTelling = 64;

/** Of a case in which host code did nothing. */
export const noTraffic: HostTraffic = {
  readBytes: 0,
  readResultBytes: 0,
  made: [],
  copied: [],
  movedBytes: 0,
  moves: 0,
  acts: "",
  calls: noHostCalls,
};

/** What the host has stored in one allocation since a launch saw it, and what of that was new. */
interface Written {
  readonly stored: Span[];
  readonly changed: Span[];
}

interface Lent {
  readonly address: bigint;
  readonly buffer: Pick<LentBuffer, "content" | "isReadOnly">;
}

/**
 * What host code does with the bytes of device memory in one case. Whether it made a content itself is
 * settled when a launch may read it, and at the end: what it was lent, and what it has read, may be copied,
 * whole or in pieces.
 */
export class HostLog implements MemoryLog {
  /** Contents that host code may store without having made them: digests, in the order of knowing. */
  private readonly known = new Map<string, number>();
  /** Contents that host code has in its own memory. */
  private readonly had = new Set<string>();
  private readonly last = new Map<bigint, string>();
  private readonly seen = new SeenBytes();
  private readonly dirty = new Map<bigint, Written>();
  private readonly acts: HostActs;
  readonly calls: HostCallCount;
  /** Bytes, how many copies and fills there were, and contents that the host put there. */
  private readonly told = {
    ...{ inputs: 0, results: 0, moved: 0, moves: 0 },
    ...{ made: new Array<Uint8Array>(), copied: new Array<Uint8Array>() },
  };

  constructor(
    private readonly store: DeviceStore,
    private readonly lent: readonly Lent[],
  ) {
    const addresses = lent.map(({ address }) => address);
    this.acts = new HostActs(store, addresses);
    const nameAt = (address: bigint): string => store.memory.find(address)?.name ?? "";
    const sizeAt = (address: bigint): number => store.sizeAt(address);
    this.calls = new HostCallCount({ allocated: () => store.allocated(), sizeAt, nameAt }, addresses);
    for (const { buffer } of lent) this.know(digestOf(buffer.content));
  }

  gave(content: Uint8Array, address: bigint, how: "read" | "fetched" | "shared"): void {
    const digest = digestOf(content);
    const start = this.startOf(address);
    // A runtime that keeps its copy up to date reads the same again.
    const isAgain = this.last.get(address) === digest;
    if (!isAgain && !(content.byteLength >= leastTelling && this.had.has(digest)))
      this.told[this.isInput(start) ? "inputs" : "results"] += content.byteLength;
    if (!isAgain && how === "shared") this.calls.shared(content.byteLength);
    if (!isAgain) this.seen.add(content, how === "read" ? how : address);
    this.last.set(address, digest);
    this.had.add(digest);
    this.know(digest);
  }

  wrote(start: bigint, stored: Span, changed: Span): void {
    const written = this.dirty.get(start) ?? { stored: [], changed: [] };
    written.stored.push(stored);
    if (changed.from < changed.to) written.changed.push(changed);
    this.dirty.set(start, written);
  }

  acted(what: string, ...told: readonly (bigint | number | string)[]): void {
    this.acts.note(what, ...told);
  }

  moved(bytes: number): void {
    this.told.moved += bytes;
    this.told.moves += 1;
    this.calls.worked();
  }

  settle(launch?: DeviceLaunch): void {
    for (const [start, written] of this.dirty) this.settleOne(start, written);
    this.dirty.clear();
    // What kernels launch themselves is the device's own doing.
    if (launch === undefined || launch.nesting !== undefined) return;
    this.acts.launched(launch);
    this.calls.worked();
  }

  traffic(): HostTraffic {
    const { inputs: readBytes, results: readResultBytes, moved: movedBytes, moves, made, copied } = this.told;
    return {
      ...{ readBytes, readResultBytes, movedBytes, moves, made, copied },
      acts: this.acts.digest(),
      calls: this.calls.counted(),
    };
  }

  private settleOne(start: bigint, written: Written): void {
    const bytes = this.store.sizeAt(start);
    const content = new Uint8Array(this.store.memory.memory.buffer, linearAddress(start), bytes);
    const digest = digestOf(content);
    const stored = joinedSpans(written.stored);
    const [only] = stored;
    if (only !== undefined && only.from === 0 && only.to >= bytes) this.had.add(digest);
    const number = this.known.get(digest);
    if (number !== undefined) return this.acts.note("known", start, number);
    if (isOneValue(content)) return this.acts.note("uniform", start, digest);
    const origin =
      this.origin(start, content, stored) ?? this.origin(start, content, joinedSpans(written.changed));
    this.know(digest);
    this.acts.note(origin === undefined ? "made" : "pieces", start, origin ?? digest);
    const contents = origin === undefined ? this.told.made : this.told.copied;
    if (contents.length < mostContents) contents.push(content.slice());
  }

  /** Where the bytes of spans come from; undefined where host code has made some of them. */
  private origin(start: bigint, content: Uint8Array, spans: readonly Span[]): string | undefined {
    const origins: string[] = [];
    for (const { from, to } of spans) {
      const part = content.subarray(from, to);
      const input = this.pieceOfInput(start, part, from);
      const origin = input ?? this.seen.origin(part, (address) => this.acts.place(address), from);
      if (origin === undefined) return undefined;
      origins.push(origin);
    }
    return origins.join(" ");
  }

  /**
   * Where the bytes, which are stored `from` there on, stand in an input, for memory of the program's own:
   * inputs may be sent up in parts. Told as SeenBytes tells pieces.
   */
  private pieceOfInput(start: bigint, part: Uint8Array, from: number): string | undefined {
    if (this.lent.some(({ address }) => address === start)) return undefined;
    for (const [number, { buffer }] of this.lent.entries()) {
      const { buffer: memory, byteOffset, byteLength } = buffer.content;
      const at = buffer.isReadOnly ? Buffer.from(memory, byteOffset, byteLength).indexOf(part) : -1;
      if (at >= 0) return `input ${number} moved by ${at - from}:${lengthClass(part.byteLength)}`;
    }
    return undefined;
  }

  private startOf(address: bigint): bigint | undefined {
    return this.store.memory.find(address)?.address;
  }

  private isInput(start: bigint | undefined): boolean {
    return this.lent.some(({ address, buffer }) => address === start && buffer.isReadOnly);
  }

  private know(digest: string): void {
    if (!this.known.has(digest)) this.known.set(digest, this.known.size);
  }
}

function digestOf(content: Uint8Array): string {
  return createHash("sha1").update(content).digest("base64");
}
