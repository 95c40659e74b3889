import type { ServerContext } from "../../context";
import { toProposalView } from "../../views/convert-proposal";
import type { Handler } from "../handler";
import { type PlacedSession, readSession } from "./session-record";

/** The best verified candidate as hunks; null while there is none. */
export const proposal: Handler<"kernelwright/proposal"> = async (context, { sessionId }) =>
  proposalOf(context, await readSession(context, sessionId));

/** The proposal of a session as the log has it now. */
export async function proposalOf(
  context: ServerContext,
  { services, folder, summary, state }: PlacedSession,
): Promise<ReturnType<typeof toProposalView> | null> {
  if (state.proposal === undefined) return null;
  const texts = await services.sessions.proposalTexts(summary.sessionId);
  return toProposalView({
    sessionId: summary.sessionId,
    state,
    proposal: state.proposal,
    texts,
    uriOf: (file) => context.workspaces.uriOf(folder, file),
  });
}
