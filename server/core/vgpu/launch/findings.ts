import type { KernelFinding, Triple } from "./types";

/** A finding before it is known how often its cause shows. */
export type FindingDraft = Omit<KernelFinding, "count">;

/** Causes that one launch tells apart; what comes after them is not kept. */
const maximumCauses = 200;

/**
 * What a launch found without ending. A cause (the same kind, lines and allocation) is kept once, as it was when it showed first, and
 * counted from then on.
 */
export class FindingLog {
  private readonly causes = new Map<string, { readonly draft: FindingDraft; count: number }>();

  /** Counts a cause; `describe` is asked for its text the first time only. */
  note(cause: string, describe: () => FindingDraft): void {
    const known = this.causes.get(cause);
    if (known) known.count += 1;
    else if (this.causes.size < maximumCauses) this.causes.set(cause, { draft: describe(), count: 1 });
  }

  /** The findings in the order in which they showed first; a message says how often when that is more than once. */
  list(): readonly KernelFinding[] {
    return [...this.causes.values()].map(({ draft, count }) => ({
      ...draft, count, message: count === 1 ? draft.message : `${draft.message}; ${count} times`,
    }));
  }
}

/** `(1,2,3)`, for messages. */
export function tripleText(triple: Triple): string {
  return `(${triple.join(",")})`;
}

/** `thread (1,0,0) of block (0,0,0)`, for messages. */
export function threadText(thread: Triple, block: Triple): string {
  return `thread ${tripleText(thread)} of block ${tripleText(block)}`;
}

/** `1 byte`, `2 bytes`: a count with its noun. */
export function bytesText(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}
