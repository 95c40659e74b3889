import { claimSubject, type ClaimSubject, type PresentFile } from "../../../core/review/claim";
import type { ProposedFile } from "../../../core/review/hunk";
import type { ProposalRecord } from "../../../core/trajectory/reduce";
import type { ServerContext } from "../context";
import { digestOf } from "../documents";
import type { PlacedSession } from "../handlers/sessions/session-record";
import { textOnDisk } from "../uris";

/** A proposal next to the texts as they are now. */
export interface ReviewLook {
  readonly proposal: ProposalRecord;
  readonly texts: readonly ProposedFile[];
  readonly uris: readonly string[];
  readonly subject: ClaimSubject;
  /** Digest of the texts that a check would be about; undefined when there is nothing to check. */
  readonly digest: string | undefined;
}

/** Undefined while the session has no proposal. */
export async function lookAtReview(
  context: Pick<ServerContext, "documents" | "workspaces">,
  { services, folder, summary, state }: PlacedSession,
): Promise<ReviewLook | undefined> {
  const { proposal } = state;
  if (proposal === undefined) return undefined;
  const texts = await services.sessions.proposalTexts(summary.sessionId);
  const uris = texts.map(({ file }) =>
    context.documents.moved.placeOf(context.workspaces.uriOf(folder, file)),
  );
  const files = await Promise.all(
    texts.map(async (text, index): Promise<PresentFile> => ({
      ...text,
      present: await presentText(context, uris[index]),
    })),
  );
  const subject = claimSubject(files, proposal.hunks);
  const digest = subject.kind === "combination" ? digestOf(JSON.stringify(subject.texts)) : undefined;
  return { proposal, texts, uris, subject, digest };
}

/** The text in the editor, else on disk; a file that the proposal adds may not be there yet. */
async function presentText(
  { documents }: Pick<ServerContext, "documents">,
  uri: string | undefined,
): Promise<string> {
  const open = uri === undefined ? undefined : documents.get(uri);
  if (open !== undefined) return open.text;
  return (uri === undefined ? undefined : await textOnDisk(uri)) ?? "";
}
