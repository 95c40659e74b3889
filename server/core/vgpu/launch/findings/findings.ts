import { oneLine } from "../../../base/text";
import type { KernelFinding, Triple } from "../machine/types";

/** A finding before it is known how often its cause shows. */
export type FindingDraft = Omit<KernelFinding, "count">;

/** Causes that one launch tells apart; what comes after them is not kept. */
const maximumCauses = 200;

interface Cause {
  draft: FindingDraft;
  rank: number;
  count: number;
}

/**
 * Reads of one cause and words that were kept apart, to be explained later; more are taken to be like these.
 */
const mostKept = 100_000;

/**
 * What a launch found without ending. A cause (the same kind, lines and allocation) is kept once, as it was
 * when it showed first with its highest rank, and counted from then on.
 */
export class FindingLog {
  private readonly causes = new Map<string, Cause>();
  /** Reads of bytes that held nothing, by the place of each of their words. */
  private readonly reads = new Map<string, { readonly cause: Cause; isExplained: boolean }[]>();

  /**
   * Counts a cause; `describe` is asked for its text the first time only, and again when the cause shows with
   * a higher rank.
   */
  note(key: string, describe: () => FindingDraft, rank = 0): Cause | undefined {
    const known = this.causes.get(key);
    if (!known && this.causes.size < maximumCauses)
      this.causes.set(key, { draft: describe(), rank, count: 1 });
    if (known) {
      known.count += 1;
      if (rank > known.rank) Object.assign(known, { draft: describe(), rank });
    }
    return this.causes.get(key);
  }

  /**
   * Counts a read of bytes that held nothing; it is no such read if it turns out to be a race about one of
   * the places: see `explain`.
   */
  noteRead(key: string, places: readonly string[], describe: () => FindingDraft): void {
    const cause = this.note(key, describe);
    if (!cause || this.reads.size > mostKept) return;
    const read = { cause, isExplained: false };
    for (const place of places) {
      const list = this.reads.get(place);
      if (list) list.push(read);
      else this.reads.set(place, [read]);
    }
  }

  /**
   * What was read at a place before another thread stored it without order is told as the race that it is.
   */
  explain(place: string): void {
    for (const read of this.reads.get(place) ?? []) {
      if (!read.isExplained) read.cause.count -= 1;
      read.isExplained = true;
    }
    this.reads.delete(place);
  }

  /**
   * The findings in the order in which they showed first; a message says how often when that is more than
   * once.
   */
  list(): readonly KernelFinding[] {
    return [...this.causes.values()]
      .filter(({ count }) => count > 0)
      .map(({ draft, count }) => ({
        ...draft,
        count,
        message: `${oneLine(draft.message)}${count === 1 ? "" : `; ${count} times`}`,
      }));
  }
}

/** Names a word of memory, of a block's shared memory when a block is given. */
export function wordKey(block: Triple | undefined, linear: number): string {
  return `${linear >>> 2} ${block?.join(" ") ?? ""}`;
}

/** `(1,2,3)`, for messages. */
export function tripleText(triple: Triple): string {
  return `(${triple.join(",")})`;
}

/** `thread (1,0,0) of block (0,0,0)`, for messages. */
export function threadText(thread: Triple, block: Triple): string {
  return `thread ${tripleText(thread)} of block ${tripleText(block)}`;
}

/** What is told of a launch whose order was lost (`isOrderLost`); `kernel`: its name. */
export function orderLostText(kernel: string): string {
  return `${kernel} synchronises at more places than the sanitizer can keep: races in it may have gone unseen`;
}

/** `1 byte`, `2 bytes`: a count with its noun. */
export function bytesText(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}
