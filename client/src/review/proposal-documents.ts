import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import type { ProposalView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import { addressOf, type ReviewStore } from "./review-store";

export type Side = "base" | "proposed";

const scheme = "kernelwright-proposal";

/**
 * Address of one side of a proposal's file; the path keeps the file's name, so that the editor knows its
 * language.
 */
export function sideAddress(sessionId: string, file: string, side: Side): Uri {
  const query = new URLSearchParams({ session: sessionId, file, side }).toString();
  return Uri.from({ scheme, path: Uri.parse(file).path, query });
}

/**
 * Serves both sides of a proposal as read-only documents, for the diff editor. They come from the session, so
 * they open at any time.
 */
export class ProposalDocuments implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly subscriptions: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: ReviewStore,
  ) {
    this.subscriptions = Disposable.from(
      this.changed,
      workspace.registerTextDocumentContentProvider(scheme, this),
    );
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const [sessionId, file] = [query.get("session"), query.get("file")];
    // Anybody can open an address of this scheme: one that names no proposal shows an empty document.
    if (sessionId === null || file === null) return "";
    const proposal: ProposalView | null =
      this.store.get(sessionId)?.proposal ??
      (await this.connection.request("kernelwright/proposal", { sessionId }));
    const found = proposal?.files.find((candidate) => addressOf(candidate.uri) === addressOf(file));
    const side: Side = query.get("side") === "base" ? "base" : "proposed";
    return found?.[side] ?? "";
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
