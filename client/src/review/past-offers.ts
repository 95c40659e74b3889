import type { CodeLens } from "vscode";
import type { LensCommand } from "../../../server/protocol/commands";
import type { SessionParams } from "../../../server/protocol/requests";
import type { SessionStore } from "../sessions/session-store";
import type { ReviewStore } from "./review-store";

/**
 * Tells the lenses of the server that offer what is over: to stop a run that has ended, to show a proposal
 * that is shown. The server may have answered just before.
 */
export function pastOffers(
  sessions: SessionStore,
  reviews: ReviewStore,
): (lens: Pick<CodeLens, "command">) => boolean {
  return ({ command }) => {
    const [argument] = (command?.arguments ?? []) as readonly (Partial<SessionParams> | undefined)[];
    const sessionId = argument?.sessionId;
    if (sessionId === undefined) return false;
    const offer = command?.command as LensCommand;
    const isShown = reviews.get(sessionId) !== undefined;
    if (offer === "kernelwright.reviewProposal") return isShown;
    const session = sessions.get(sessionId);
    const hasEnded = session !== undefined && session.status !== "running";
    return offer === "kernelwright.takeBest" && (isShown || hasEnded);
  };
}
