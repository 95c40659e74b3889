import { type Disposable, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import type { CandidateParams } from "../../../server/protocol/requests";
import type { ProposalFileView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";

type CandidateSide = "base" | "proposed";

const scheme = "kernelwright-candidate";

/**
 * Address of one side of a file that a candidate changes; the path keeps the file's name, so that the editor
 * knows its language.
 */
export function candidateAddress(candidate: CandidateParams, file: string, side: CandidateSide): Uri {
  const { sessionId, candidate: id, against } = candidate;
  const query = new URLSearchParams({ session: sessionId, candidate: id, against, file, side }).toString();
  return Uri.from({ scheme, path: Uri.parse(file).path, query });
}

/**
 * Serves the texts of candidates as read-only documents, for the diff editor. They come from the session's
 * log, so they open at any time, after a reload as well.
 */
export class CandidateDocuments implements TextDocumentContentProvider, Disposable {
  private readonly subscription: Disposable;

  constructor(private readonly connection: ServerConnection) {
    this.subscription = workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const [sessionId, candidate, file] = [query.get("session"), query.get("candidate"), query.get("file")];
    // Anybody can open an address of this scheme: one that names no candidate shows an empty document.
    if (sessionId === null || candidate === null || file === null) return "";
    const against = query.get("against") ?? "baseline";
    const { files } = await this.connection.request("kernelwright/candidate", {
      sessionId,
      candidate,
      against,
    });
    const found: ProposalFileView | undefined = files.find((each) => each.uri === file);
    return found?.[query.get("side") === "base" ? "base" : "proposed"] ?? "";
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
