import { createHash } from "node:crypto";
import type { HostTraffic } from "../../../core/ports/entry-programs";
import { linearAddress } from "../../../core/vgpu/index";
import type { DeviceStore, MemoryLog } from "./device-store";

/** Contents of this many allocations are kept at most; a program that makes more is telling enough. */
const mostContents = 64;

/**
 * What host code does with the bytes of device memory in one case. Whether it made a content itself is
 * settled when a launch may read it, and at the end: a content that it was lent or has read is a copy.
 */
export class HostLog implements MemoryLog {
  private readonly known = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly dirty = new Set<bigint>();
  private readonly made: Uint8Array[] = [];
  private readBytes = 0;
  private movedBytes = 0;

  constructor(
    private readonly store: DeviceStore,
    lent: readonly Uint8Array[],
  ) {
    for (const content of lent) this.known.add(digestOf(content));
  }

  read(content: Uint8Array): void {
    const digest = digestOf(content);
    // A runtime that keeps its copy up to date reads the same again.
    if (!this.seen.has(digest)) this.readBytes += content.byteLength;
    this.seen.add(digest);
    this.known.add(digest);
  }

  wrote(address: bigint): void {
    this.dirty.add(address);
  }

  moved(bytes: number): void {
    this.movedBytes += bytes;
  }

  /** Looks at what the host has written since the last time. */
  settle(): void {
    for (const address of this.dirty) {
      const bytes = this.store.sizeAt(address);
      const content = new Uint8Array(this.store.memory.memory.buffer, linearAddress(address), bytes);
      if (isUniform(content) || this.known.has(digestOf(content))) continue;
      this.known.add(digestOf(content));
      if (this.made.length < mostContents) this.made.push(content.slice());
    }
    this.dirty.clear();
  }

  traffic(): HostTraffic {
    return { readBytes: this.readBytes, made: this.made, movedBytes: this.movedBytes };
  }
}

function digestOf(content: Uint8Array): string {
  return createHash("sha1").update(content).digest("base64");
}

/** One value repeated, of whatever size: what a program sets memory to. */
function isUniform(bytes: Uint8Array): boolean {
  return [1, 2, 4, 8].some(
    (unit) => bytes.byteLength % unit === 0 && bytes.every((byte, index) => byte === bytes[index % unit]),
  );
}
