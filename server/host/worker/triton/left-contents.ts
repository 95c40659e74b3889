import { createHash } from "node:crypto";

/** Contents of one size that are remembered. */
const mostOfSize = 64;

/**
 * What kernels have left in buffers in earlier calls of a candidate's process: scratch memory that a program
 * keeps holds it in the next call, and host code has not made it.
 */
export class LeftContents {
  private static readonly ofAll = new WeakMap<object, LeftContents>();
  /** Digests by size, the latest last. */
  private readonly bySize = new Map<number, string[]>();
  /** What the call that goes on has left. */
  private readonly fresh: Uint8Array[] = [];

  /** Those of a process. */
  static of(process: object): LeftContents {
    const left = LeftContents.ofAll.get(process) ?? new LeftContents();
    LeftContents.ofAll.set(process, left);
    return left;
  }

  /** A kernel of the call that goes on has left this. */
  add(bytes: Uint8Array): void {
    this.fresh.push(bytes);
  }

  /** Which of the contents that kernels have left in the call that goes on this is; undefined for none. */
  placeInCall(bytes: Uint8Array): number | undefined {
    const place = this.fresh.findIndex(
      (each) => each.byteLength === bytes.byteLength && Buffer.compare(each, bytes) === 0,
    );
    return place < 0 ? undefined : place;
  }

  /** How many other contents of its size were left later, in calls before; undefined for one that was not. */
  ageOf(bytes: Uint8Array): number | undefined {
    const digests = this.bySize.get(bytes.byteLength);
    if (digests === undefined) return undefined;
    const place = digests.lastIndexOf(digestOf(bytes));
    return place < 0 ? undefined : digests.length - 1 - place;
  }

  /** The call has ended. */
  settle(): void {
    for (const bytes of this.fresh) {
      const digests = this.bySize.get(bytes.byteLength) ?? [];
      digests.push(digestOf(bytes));
      if (digests.length > mostOfSize) digests.shift();
      this.bySize.set(bytes.byteLength, digests);
    }
    this.fresh.length = 0;
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}
