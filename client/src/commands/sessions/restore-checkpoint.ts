import { l10n, type QuickPickItem, window } from "vscode";
import { standingVersion } from "../../../../server/core/review/checkpoint";
import type { ReviewedHunk } from "../../../../server/core/review/hunk";
import type { CheckpointsView, CheckpointView } from "../../../../server/protocol/views";
import { openFiles, presentTexts, restore, standingHunks } from "../../checkpoints/restore";
import { candidateHead } from "../../../webview/common/candidates";
import { dateText } from "../../sessions/session-arrangement";
import { complain, sessionFrom } from "../arguments";
import type { Command, Parts } from "../command";

const ownChoice = "decided";

/** The files go back to before a session, or to any of its accepted steps. */
export const restoreCheckpoint: Command = {
  id: "kernelwright.restoreCheckpoint",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Back to a step of which session?"),
      none: l10n.t("No session has an accepted step yet."),
      fits: (session) => session.hasProposal,
    });
    if (sessionId === undefined) return;
    const view = await parts.connection.request("kernelwright/checkpoints", { sessionId });
    if (view.checkpoints.length < 2)
      return complain(l10n.t("This session has no accepted step: the files are as they were before it."));
    const files = await openFiles(view);
    const versions = versionsOf(view);
    const standing = standingVersion(versions, presentTexts(files));
    const chosen = await window.showQuickPick(
      view.checkpoints.map((checkpoint) => itemOf(checkpoint, checkpoint.id === standing?.id)),
      {
        title: l10n.t("Back to which step?"),
        placeHolder: l10n.t("Your own edits stay; one undo takes it back"),
        matchOnDescription: true,
        matchOnDetail: true,
      },
    );
    if (chosen === undefined || !(await restore(chosen.checkpoint, versions, files))) return;
    window.setStatusBarMessage(l10n.t("The files are at: {0}", chosen.label), 5000);
    await recordDecisions(parts, sessionId);
  },
};

/** What the present texts may be made of; what the user accepted may be a part of a candidate. */
function versionsOf({
  checkpoints,
  decided,
}: CheckpointsView): readonly Pick<CheckpointView, "id" | "texts">[] {
  return decided === null ? checkpoints : [...checkpoints, { id: ownChoice, texts: decided }];
}

function itemOf(
  checkpoint: CheckpointView,
  isStanding: boolean,
): QuickPickItem & { readonly checkpoint: CheckpointView } {
  const { id, title, figure, time } = checkpoint;
  const isBefore = id === "baseline";
  const parts = [figure ?? "", dateText(time, new Date()), isStanding ? l10n.t("you are here") : ""];
  return {
    label: isBefore ? l10n.t("$(history) Before the session") : `$(pass) ${candidateHead(id)}`,
    description: parts.filter((part) => part !== "").join(" · "),
    detail: title,
    checkpoint,
  };
}

/** The decisions on the proposal become what stands in the files now. */
async function recordDecisions(parts: Parts, sessionId: string): Promise<void> {
  const proposal = await parts.connection.request("kernelwright/proposal", { sessionId });
  if (proposal === null) return;
  const standing = await standingHunks(proposal);
  const isAccepted = ({ decision }: ReviewedHunk): boolean => decision === "accepted";
  const accepted = proposal.hunks.filter((hunk) => standing.has(hunk.id) && !isAccepted(hunk));
  const undone = proposal.hunks.filter((hunk) => !standing.has(hunk.id) && isAccepted(hunk));
  const idsOf = (hunks: readonly ReviewedHunk[]): readonly string[] => hunks.map(({ id }) => id);
  if (accepted.length > 0) await parts.decider.record(sessionId, idsOf(accepted), "accepted");
  if (undone.length > 0) await parts.decider.record(sessionId, idsOf(undone), "undone");
}
