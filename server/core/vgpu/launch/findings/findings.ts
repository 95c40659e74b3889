import { oneLine } from "../../../base/text";
import type { KernelFinding, Triple } from "../state/types";

/** A finding before its occurrences are counted. */
export type FindingDraft = Omit<KernelFinding, "count">;

/** Causes that one launch keeps apart; further ones are dropped. */
const maximumCauses = 200;

/** What one kind of occurrence is owed to. */
export interface Cause {
  draft: FindingDraft;
  rank: number;
  count: number;
}

/**
 * Places of uninitialised reads that are remembered, so that a race at one of them can replace the finding.
 */
const mostKept = 100_000;

/**
 * The findings of a launch that did not end it. Each cause (kind, lines and allocation) is kept once and
 * counted, with the text of its first occurrence at its highest rank.
 */
export class FindingLog {
  private readonly causes = new Map<string, Cause>();
  /** Uninitialised reads by the words they read: see `wordKey`. */
  private readonly reads = new Map<number, { readonly cause: Cause; isExplained: boolean }[]>();

  /** Counts an occurrence. `describe` is called for the first one and for each one of a higher rank. */
  note(key: string, describe: () => FindingDraft, rank = 0): Cause | undefined {
    const cause = this.causeOf(key, describe, rank);
    if (cause) cause.count += 1;
    return cause;
  }

  /** The cause of an occurrence as `note` has it, not counted; undefined where there are too many. */
  causeOf(key: string, describe: () => FindingDraft, rank = 0): Cause | undefined {
    const known = this.causes.get(key);
    if (known) {
      if (rank > known.rank) Object.assign(known, { draft: describe(), rank });
      return known;
    }
    if (this.causes.size >= maximumCauses) return undefined;
    const cause: Cause = { draft: describe(), rank, count: 0 };
    this.causes.set(key, cause);
    return cause;
  }

  /** Counts an uninitialised read of these words. `explain` takes it back if it was a race. */
  noteRead(key: string, places: readonly number[], describe: () => FindingDraft): void {
    const cause = this.note(key, describe);
    if (!cause || this.reads.size > mostKept) return;
    const read = { cause, isExplained: false };
    for (const place of places) {
      const list = this.reads.get(place);
      if (list) list.push(read);
      else this.reads.set(place, [read]);
    }
  }

  /** A race at a word explains why it was read uninitialised: its reads no longer count. */
  explain(place: number): void {
    if (this.reads.size === 0) return;
    for (const read of this.reads.get(place) ?? []) {
      if (!read.isExplained) read.cause.count -= 1;
      read.isExplained = true;
    }
    this.reads.delete(place);
  }

  /** The findings in the order of their first occurrence; the message gives the count if it is above one. */
  list(): readonly KernelFinding[] {
    return [...this.causes.values()]
      .filter(({ count }) => count > 0)
      .map(({ draft, count }) => ({
        ...draft,
        count,
        message: count === 1 ? oneLine(draft.message) : [oneLine(draft.message), `${count} times`].join("; "),
      }));
  }
}

/** Key of the 32-bit word of global memory at a linear address. */
export function wordKey(linear: number): number {
  return linear >>> 2;
}

/** More words than a block has of shared memory. */
const sharedWords = 2 ** 20;

/** Key of a 32-bit word of a block's shared memory; `block`: its linear number, `offset` in bytes. */
export function sharedWordKey(block: number, offset: number): number {
  return -1 - (block * sharedWords + (offset >>> 2));
}

/** `(1,2,3)`, for messages. */
export function tripleText(triple: Triple): string {
  return `(${triple.join(",")})`;
}

/** `thread (1,0,0) of block (0,0,0)`, for messages. */
export function threadText(thread: Triple, block: Triple): string {
  return `thread ${tripleText(thread)} of block ${tripleText(block)}`;
}

/** The warning about a launch whose order was lost (`isOrderLost`); `kernel`: its name. */
export function orderLostText(kernel: string): string {
  return `${kernel} synchronises at more places than the sanitizer can keep: races in it may have gone unseen`;
}

/** `1 byte`, `2 bytes`. */
export function bytesText(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}
