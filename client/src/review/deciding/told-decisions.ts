import { EventEmitter } from "vscode";
import type { ReviewedHunk } from "../../../../server/core/review/hunk";
import type { DecideParams } from "../../../../server/protocol/requests";

type Decision = DecideParams["decision"];

/**
 * Decisions that are being carried out, until the server has answered. By then a proposal still has the
 * decision before, while undo and redo of the editor, and what stands at the hunks, go by the last one.
 */
export class ToldDecisions {
  private readonly last = new Map<string, { readonly decision: Decision }>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  /** Keeps what becomes of some hunks; the function that is given ends that. */
  note(sessionId: string, hunks: readonly string[], decision: Decision): () => void {
    const told = { decision };
    const keys = hunks.map((hunk) => keyOf(sessionId, hunk));
    for (const key of keys) this.last.set(key, told);
    this.changed.fire();
    return () => {
      for (const key of keys) if (this.last.get(key) === told) this.last.delete(key);
      this.changed.fire();
    };
  }

  /** The decision that holds for a hunk once all that was told is answered. */
  decisionOf(sessionId: string, hunk: ReviewedHunk): ReviewedHunk["decision"] {
    const told = this.last.get(keyOf(sessionId, hunk.id));
    if (told === undefined) return hunk.decision;
    return told.decision === "undone" ? "open" : told.decision;
  }
}

function keyOf(sessionId: string, hunk: string): string {
  return `${sessionId}/${hunk}`;
}
