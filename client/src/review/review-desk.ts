import {
  commands,
  Disposable,
  l10n,
  type LogOutputChannel,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from "vscode";
import type { ProposalView, SessionView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import type { SessionStore } from "../sessions/session-store";
import { locateHunks, reviewsShownIn } from "./locate";
import { addressOf, openHunks, type ReviewStore } from "./review-store";

/**
 * Brings proposals to the editor: by itself when a run of this window ends, or when the user asks for one of
 * an earlier session.
 */
export class ReviewDesk implements Disposable {
  private readonly subscriptions: Disposable;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: ReviewStore,
    sessions: SessionStore,
    private readonly log: LogOutputChannel,
  ) {
    const keep = (): void => void this.setContext();
    this.subscriptions = Disposable.from(
      sessions.onDidFinish(
        (view) =>
          void this.announce(view).catch((error: unknown) =>
            log.warn(`proposal of ${view.sessionId}: ${String(error)}`),
          ),
      ),
      store.onDidChange(keep),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) store.move(oldUri, newUri);
        // What is claimed of a text is about the file where it is now.
        for (const { proposal } of store.all())
          void this.attach(proposal.sessionId).catch((error: unknown) =>
            log.warn(`review of ${proposal.sessionId}: ${String(error)}`),
          );
      }),
      window.onDidChangeActiveTextEditor(keep),
    );
  }

  /** Shows the proposal in the file's editor, at its first open hunk. False when the session has none. */
  async open(sessionId: string): Promise<boolean> {
    const proposal = await this.attach(sessionId);
    // A file that is yet to be made has no editor: the changes of the others come first.
    const made = new Set(proposal?.files.filter(({ isNew }) => isNew).map(({ file }) => file));
    const shown = proposal?.hunks.filter(({ file }) => !made.has(file)) ?? [];
    if (proposal !== null && shown.length === 0 && made.size > 0) {
      await commands.executeCommand("kernelwright.showDiff", { sessionId });
      return true;
    }
    const first = shown.find((hunk) => hunk.decision === "open") ?? shown[0];
    const file = first === undefined ? undefined : proposal?.files.find((each) => each.file === first.file);
    if (first === undefined || file === undefined) return false;
    const editor = await window.showTextDocument(Uri.parse(file.uri));
    const place =
      locateHunks(this.store, editor.document).find(({ hunk }) => hunk.id === first.id)?.placement.start ?? 0;
    const range = editor.document.lineAt(Math.min(place, editor.document.lineCount - 1)).range;
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }

  async attach(sessionId: string): Promise<ProposalView | null> {
    const proposal = await this.connection.request("kernelwright/proposal", {
      sessionId,
      moved: this.store.allMoves(),
    });
    if (proposal !== null) this.store.attach(proposal);
    return proposal;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /**
   * Opens nothing and takes no focus: where the file is on screen the hunks appear in it, else one message
   * offers them.
   */
  private async announce(view: SessionView): Promise<void> {
    if (!view.hasProposal) return;
    const proposal = await this.attach(view.sessionId);
    if (proposal === null) return;
    const visible = new Set(window.visibleTextEditors.map((editor) => addressOf(editor.document.uri)));
    if (proposal.files.some((file) => visible.has(addressOf(file.uri)))) return;
    const review = l10n.t("Review");
    const chosen = await window.showInformationMessage(
      l10n.t("Kernelwright has a proposal for {0}: {1}", view.kernel, proposal.verdict),
      review,
    );
    if (chosen === review) await this.open(view.sessionId);
  }

  private async setContext(): Promise<void> {
    const document = window.activeTextEditor?.document;
    const open = this.store.all().some((review) => openHunks(review).length > 0);
    const here =
      document !== undefined &&
      reviewsShownIn(this.store, document).some((review) => openHunks(review).length > 0);
    await commands.executeCommand("setContext", "kernelwright.hasOpenHunks", open);
    await commands.executeCommand("setContext", "kernelwright.fileHasOpenHunks", here);
  }
}
