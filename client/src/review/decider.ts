import { EndOfLine, l10n, Range, type TextDocument, Uri, WorkspaceEdit, window, workspace } from "vscode";
import type { DecideParams, DecideResult } from "../../../server/protocol/requests";
import type { ServerConnection } from "../server/connection";
import { splitLines } from "./hunk-placement";
import { addressOf, type ReviewStore } from "./review-store";
import { toReplacement } from "./text-edits";

export type Decision = DecideParams["decision"];

/** How often a merge is asked for again because the user typed while it was being made. */
const attempts = 3;

/**
 * Carries decisions to the server and its merged edits into the documents: one WorkspaceEdit for each
 * decision, so that one undo takes it back, and only on the very text that was merged. Decisions are made one
 * after the other.
 */
export class Decider {
  private queue: Promise<void> = Promise.resolve();
  private pending = 0;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: ReviewStore,
  ) {}

  /** True while documents may change by our own hand. */
  get isBusy(): boolean {
    return this.pending > 0;
  }

  /** Resolves when the decision is recorded and, for an acceptance, the text is in the editor (not saved). */
  decide(sessionId: string, hunks: readonly string[], decision: Decision): Promise<void> {
    this.pending += 1;
    const turn = this.queue.then(() => this.carryOut(sessionId, hunks, decision));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** Records what the user has already done by hand (undo or redo): the text stands so, nothing is edited. */
  record(sessionId: string, hunks: readonly string[], decision: "accepted" | "undone"): Promise<void> {
    const turn = this.queue.then(async () => {
      const { result } = await this.ask(sessionId, hunks, decision);
      this.store.update(result.proposal, hunks, new Map());
    });
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * The store hears of the outcome once documents are no longer ours to change, so that what the user did
   * meanwhile is seen then.
   */
  private async carryOut(sessionId: string, hunks: readonly string[], decision: Decision): Promise<void> {
    const result = await this.merge(sessionId, hunks, decision).finally(() => {
      this.pending -= 1;
    });
    if (result !== undefined)
      this.store.update(
        result.proposal,
        hunks,
        new Map(result.conflicts.map((conflict) => [conflict.hunk, conflict.message])),
      );
  }

  private async merge(
    sessionId: string,
    hunks: readonly string[],
    decision: Decision,
  ): Promise<DecideResult | undefined> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const { result, documents, versions } = await this.ask(sessionId, hunks, decision);
      if (
        result.edits.length > 0 &&
        documents.some((document, index) => document.version !== versions[index])
      ) {
        await this.ask(sessionId, hunks, "undone");
        continue;
      }
      if (result.edits.length > 0 && !(await workspace.applyEdit(editOf(result, documents)))) {
        void window.showErrorMessage(
          l10n.t("The editor refused the change; nothing was changed. Is the file read-only?"),
        );
        return (await this.ask(sessionId, hunks, "undone")).result;
      }
      return result;
    }
    void window.showWarningMessage(
      l10n.t("The file kept changing while the proposal was merged; nothing was changed. Accept once more."),
    );
    return undefined;
  }

  private async ask(
    sessionId: string,
    hunks: readonly string[],
    decision: Decision,
  ): Promise<{ result: DecideResult; documents: readonly TextDocument[]; versions: readonly number[] }> {
    const wanted = new Set(hunks);
    const touched =
      this.store
        .get(sessionId)
        ?.proposal.hunks.filter((hunk) => wanted.has(hunk.id))
        .map((hunk) => hunk.uri) ?? [];
    const documents = await Promise.all(
      [...new Set(touched)].map((uri) => workspace.openTextDocument(Uri.parse(uri))),
    );
    const versions = documents.map((document) => document.version);
    const texts = [...new Set(touched)].map((uri, index) => ({
      uri,
      text: documents[index]?.getText() ?? "",
    }));
    const result = await this.connection.request("kernelwright/decide", {
      sessionId,
      hunks,
      decision,
      texts,
    });
    return { result, documents, versions };
  }
}

function editOf(result: DecideResult, documents: readonly TextDocument[]): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  for (const view of result.edits) {
    const document = documents.find((candidate) => addressOf(candidate.uri) === addressOf(view.uri));
    if (document === undefined)
      throw new Error(
        l10n.t("The server wants to change a file that the proposal does not name: {0}", view.uri),
      );
    const place = toReplacement(
      splitLines(document.getText()),
      view,
      document.eol === EndOfLine.CRLF ? "\r\n" : "\n",
    );
    edit.replace(
      document.uri,
      new Range(place.startLine, place.startCharacter, place.endLine, place.endCharacter),
      place.text,
    );
  }
  return edit;
}
