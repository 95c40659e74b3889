import { OperationalError } from "../../../../core/base/operational-error";
import { type HunkEdits, applyHunks } from "../../../../core/review/proposal";
import type { DecideParams, DecideResult } from "../../../../protocol/requests";
import type { ServerContext } from "../../context";
import { pathOfUri } from "../../uris";
import type { Handler } from "../handler";
import { proposalOf } from "./proposal";
import { type SessionRecord, readSession } from "./session-record";

interface FileDecision extends HunkEdits {
  readonly uri: string;
}

/**
 * Merges the decided hunks into the texts as they are now and records the decision. Hunks in conflict stay
 * open.
 */
export const decide: Handler<"kernelwright/decide"> = async (context, params) => {
  const record = await readSession(context, params.sessionId);
  const decisions = await mergeFiles(context, record, params);
  const conflicts = decisions.flatMap(({ uri, conflicts: found }) =>
    found.map((conflict) => ({ ...conflict, uri })),
  );
  const inConflict = new Set(conflicts.map((conflict) => conflict.hunk));
  const settled = params.hunks.filter((hunk) => !inConflict.has(hunk));
  if (settled.length > 0)
    await record.services.sessions.decide(params.sessionId, {
      hunks: settled,
      decision: params.decision,
      conflict: false,
    });
  if (inConflict.size > 0 && params.decision === "accepted")
    await record.services.sessions.decide(params.sessionId, {
      hunks: [...inConflict],
      decision: "undone",
      conflict: true,
    });
  const edits = decisions.flatMap(({ uri, edits: found }) => found.map((edit) => ({ ...edit, uri })));
  const proposal = await proposalOf(context, await readSession(context, params.sessionId));
  if (proposal === null) throw noProposal(params.sessionId);
  if (proposal.hunks.every((hunk) => hunk.decision !== "open")) forgetReview(context, params.sessionId);
  return { edits, conflicts, proposal } satisfies DecideResult;
};

/** Everything is decided: the lens that asks for a review goes. */
function forgetReview(context: ServerContext, sessionId: string): void {
  for (const [key, waiting] of context.reviews) if (waiting === sessionId) context.reviews.delete(key);
  context.refreshLenses();
}

async function mergeFiles(
  context: ServerContext,
  { services, folder, state }: SessionRecord,
  params: DecideParams,
): Promise<readonly FileDecision[]> {
  if (state.proposal === undefined) throw noProposal(params.sessionId);
  const { hunks } = state.proposal;
  const known = new Set(hunks.map((hunk) => hunk.id));
  const strange = params.hunks.find((hunk) => !known.has(hunk));
  if (strange !== undefined)
    throw new OperationalError("usage", {
      forUser: `The proposal of session ${params.sessionId} has no hunk ${strange}: open the review again.`,
    });
  const accepted = new Set(hunks.filter((hunk) => hunk.decision === "accepted").map((hunk) => hunk.id));
  const decided = new Set(
    params.decision === "accepted" ? params.hunks : params.hunks.filter((hunk) => accepted.has(hunk)),
  );
  const texts = await services.sessions.proposalTexts(params.sessionId);
  return texts.flatMap(({ file, base }) => {
    const uri = context.workspaces.uriOf(folder, file);
    const ofFile = hunks.filter((hunk) => hunk.file === file);
    if (!ofFile.some((hunk) => decided.has(hunk.id))) return [];
    const given = params.texts.find((text) => text.uri === uri || pathOfUri(text.uri) === pathOfUri(uri));
    if (given === undefined)
      throw new OperationalError("usage", {
        forUser: `The present text of ${file} is missing in the decision.`,
      });
    const merged = applyHunks({
      base,
      hunks: ofFile,
      accepted,
      decided,
      to: params.decision === "accepted" ? "proposed" : "base",
      present: given.text,
    });
    return [{ ...merged, uri: given.uri }];
  });
}

function noProposal(sessionId: string): OperationalError {
  return new OperationalError("session-not-found", { forUser: `Session ${sessionId} has no proposal.` });
}
