import { type Disposable, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import { hunksOf } from "../../../../server/core/review/hunk";
import { applyEdits } from "../../../../server/core/review/line-edit";
import { mergeHunks } from "../../../../server/core/review/merge";
import type { ProposalView } from "../../../../server/protocol/views";
import type { ServerConnection } from "../../server/connection";
import { addressOf, type ReviewStore } from "../review-store";

const scheme = "kernelwright-merge";

/** What the two sides of a merge by hand have in common, the proposal's text, and the user's. */
type MergeSide = "base" | "theirs" | "yours";

/** A merge of some changes of a proposal into a file. */
export interface MergedFile {
  readonly sessionId: string;
  /** Address of the file. */
  readonly file: string;
  /** Ids of the changes. */
  readonly hunks: readonly string[];
}

/**
 * The sides of a merge as documents that stay as they are while the file is being merged. The user's side is
 * the text from before; a window that is loaded anew has it no more and shows the file.
 */
export class MergeSides implements TextDocumentContentProvider, Disposable {
  private readonly registration = workspace.registerTextDocumentContentProvider(scheme, this);
  private readonly yours = new Map<string, string>();

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: ReviewStore,
  ) {}

  /** Addresses of the three sides. */
  addresses(merged: MergedFile, yours: string): Readonly<Record<MergeSide, Uri>> {
    const mine = addressFor(merged, "yours");
    this.yours.set(mine.query, yours);
    return { base: addressFor(merged, "base"), theirs: addressFor(merged, "theirs"), yours: mine };
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const sessionId = query.get("session") ?? "";
    const address = query.get("file") ?? "";
    const side = query.get("side");
    const kept = this.yours.get(uri.query);
    if (kept !== undefined) return kept;
    if (side === "yours") return (await workspace.openTextDocument(Uri.parse(address))).getText();
    const proposal: ProposalView | null =
      this.store.get(sessionId)?.proposal ??
      (await this.connection.request("kernelwright/proposal", { sessionId }));
    if (proposal === null) return "";
    return sideText(proposal, address, side === "theirs" ? query.getAll("hunk") : undefined);
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function addressFor({ sessionId, file, hunks }: MergedFile, side: MergeSide): Uri {
  const query = new URLSearchParams({ session: sessionId, file, side });
  for (const hunk of hunks) query.append("hunk", hunk);
  return Uri.from({ scheme, path: Uri.parse(file).path, query: query.toString() });
}

/** The text that a proposal was made from; with some of its changes, those that were accepted among them. */
function sideText(proposal: ProposalView, address: string, taken: readonly string[] | undefined): string {
  const file = proposal.files.find(({ uri }) => addressOf(uri) === addressOf(address));
  if (file === undefined) return "";
  if (taken === undefined) return file.base;
  const hunks = hunksOf(proposal.hunks, file.file);
  const decided = hunks.filter(({ id, decision }) => decision === "accepted" || taken.includes(id));
  const merge = mergeHunks({
    base: file.base,
    hunks,
    present: file.base,
    decided: new Set(decided.map(({ id }) => id)),
    to: "proposed",
  });
  return merge.kind === "merged" ? applyEdits(file.base, merge.edits) : file.base;
}
