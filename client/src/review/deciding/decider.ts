import { l10n, workspace } from "vscode";
import type { FileEdit } from "../../../../server/core/review/line-edit";
import type { DecideParams } from "../../../../server/protocol/requests";
import { warnWhenNotKept } from "../../documents/on-disk";
import { tellFailure } from "../../messages";
import type { ServerConnection } from "../../server/connection";
import { announceConflicts } from "../conflict-message";
import { decisionEdit } from "./decision-edit";
import type { ReviewStore } from "../review-store";
import { ToldDecisions } from "./told-decisions";

/** How often a merge is made again because the user typed while it was being applied. */
const attempts = 3;

/**
 * Carries decisions out: first the edit (one WorkspaceEdit for each decision, so that one undo takes it
 * back), then the record of it. A decision is carried out whole or not at all. Decisions are made one after
 * the other.
 */
export class Decider {
  private queue: Promise<void> = Promise.resolve();
  private isEditing = false;
  /** Decisions whose record is not answered yet. */
  readonly told = new ToldDecisions();

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: ReviewStore,
  ) {}

  /** True while documents may change by our own hand. */
  get isBusy(): boolean {
    return this.isEditing;
  }

  /** Resolves when the text is in the editor (not saved) and the decision is recorded. */
  decide(sessionId: string, hunks: readonly string[], decision: "accepted" | "rejected"): Promise<void> {
    return this.enqueue(() => this.carryOut(sessionId, hunks, decision));
  }

  /** Records what the user has already done by hand (undo or redo): the text stands so, nothing is edited. */
  record(sessionId: string, hunks: readonly string[], decision: "accepted" | "undone"): Promise<void> {
    const answered = this.told.note(sessionId, hunks, decision);
    return this.enqueue(() => this.tell({ sessionId, hunks, decision, edits: [] }).finally(answered));
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    const turn = this.queue.then(task);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async carryOut(
    sessionId: string,
    hunks: readonly string[],
    decision: "accepted" | "rejected",
  ): Promise<void> {
    this.isEditing = true;
    const done = this.told.note(sessionId, hunks, decision);
    try {
      const edits = await this.edit(sessionId, hunks, decision).finally(() => {
        this.isEditing = false;
      });
      if (edits !== undefined) await this.tell({ sessionId, hunks, decision, edits });
    } finally {
      done();
    }
  }

  /** Edits the documents; undefined when nothing was changed, after the user was told why. */
  private async edit(
    sessionId: string,
    hunks: readonly string[],
    decision: "accepted" | "rejected",
  ): Promise<readonly FileEdit[] | undefined> {
    let asked = hunks;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const proposal = this.store.get(sessionId)?.proposal;
      if (proposal === undefined) return undefined;
      const merged = await decisionEdit(proposal, asked, decision === "accepted" ? "proposed" : "base");
      if (merged.kind === "refused") {
        tellFailure(merged.reason);
        return undefined;
      }
      if (merged.kind === "conflict") {
        if (decision === "rejected") {
          // Of a hunk that the user has changed there is nothing to take out: it is rejected as it is.
          const changed = new Set(merged.conflicts.map((conflict) => conflict.hunk));
          asked = asked.filter((hunk) => !changed.has(hunk));
          continue;
        }
        announceConflicts(proposal, merged.conflicts, hunks.length);
        return undefined;
      }
      // The editor refuses an edit of a text that has changed since it was merged.
      if (merged.edits.length === 0) return merged.edits;
      if (!(await workspace.applyEdit(merged.edit))) continue;
      await warnWhenNotKept(merged.documents);
      return merged.edits;
    }
    tellFailure(
      l10n.t(
        "The editor refused the change; nothing was changed. Is the file read-only? Else try once more.",
      ),
    );
    return undefined;
  }

  private async tell(params: DecideParams): Promise<void> {
    this.store.update(await this.connection.request("kernelwright/decide", params));
  }
}
