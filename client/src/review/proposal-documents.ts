import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import { hunksOf } from "../../../server/core/review/hunk";
import { applyEdits } from "../../../server/core/review/line-edit";
import { mergeHunks } from "../../../server/core/review/merge";
import { placeHunks } from "../../../server/core/review/placement";
import type { ProposalFileView, ProposalView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import { presentDocument } from "../documents/present-file";
import { addressOf, type ReviewStore } from "./review-store";

/**
 * `base` and `proposed` are the texts of the proposal itself. `present` is the file as the editor has it, and
 * `merged` is that with every change that is still open: what differs between the two is left to decide.
 */
type Side = "base" | "proposed" | "present" | "merged";

const scheme = "kernelwright-proposal";

/** Which side of which file an address shows. */
interface SideAddress {
  readonly sessionId: string;
  /** Address of the file itself. */
  readonly file: string;
  readonly side: Side;
}

/**
 * Address of one side of a proposal's file; the path keeps the file's name, so that the editor knows its
 * language.
 */
export function sideAddress(sessionId: string, file: string, side: Side): Uri {
  const query = new URLSearchParams({ session: sessionId, file, side }).toString();
  return Uri.from({ scheme, path: Uri.parse(file).path, query });
}

/** Undefined for an address that shows no proposal: anybody can open one of this scheme. */
export function sideOf(uri: Uri): SideAddress | undefined {
  if (uri.scheme !== scheme) return undefined;
  const query = new URLSearchParams(uri.query);
  const [sessionId, file, side] = [query.get("session"), query.get("file"), query.get("side")];
  if (sessionId === null || file === null) return undefined;
  return { sessionId, file, side: isSide(side) ? side : "proposed" };
}

function isSide(text: string | null): text is Side {
  return text === "base" || text === "proposed" || text === "present" || text === "merged";
}

/**
 * Serves the sides of a proposal as read-only documents, for the diff editor. They come from the session, so
 * they open at any time; those of a review follow the file and the decisions.
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
      store.onDidChange(() => this.follow(() => true)),
      workspace.onDidChangeTextDocument(({ document }) => {
        const address = addressOf(document.uri);
        this.follow((file) => addressOf(file) === address);
      }),
    );
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const shown = sideOf(uri);
    if (shown === undefined) return "";
    const proposal: ProposalView | null =
      this.store.get(shown.sessionId)?.proposal ??
      (await this.connection.request("kernelwright/proposal", { sessionId: shown.sessionId }));
    const file = proposal?.files.find((each) => addressOf(each.uri) === addressOf(shown.file));
    if (proposal === null || file === undefined) return "";
    if (shown.side === "base" || shown.side === "proposed") return file[shown.side];
    const present = (await presentDocument(Uri.parse(file.uri)))?.getText() ?? "";
    return shown.side === "present" ? present : withOpenChanges(proposal, file, present);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Asks for the sides on screen anew. */
  private follow(concerns: (file: string) => boolean): void {
    for (const { uri } of workspace.textDocuments) {
      const shown = sideOf(uri);
      if (shown !== undefined && concerns(shown.file)) this.changed.fire(uri);
    }
  }
}

/** The present text with every open change that can be merged into it. */
function withOpenChanges(proposal: ProposalView, { file, base }: ProposalFileView, present: string): string {
  const text = { base, hunks: hunksOf(proposal.hunks, file), present };
  const placements = placeHunks(text);
  const decided = new Set(
    text.hunks
      .filter(({ id, decision }) => decision === "open" && placements.get(id)?.state === "base")
      .map(({ id }) => id),
  );
  const merge = mergeHunks({ ...text, decided, to: "proposed" });
  return merge.kind === "merged" ? applyEdits(present, merge.edits) : present;
}
