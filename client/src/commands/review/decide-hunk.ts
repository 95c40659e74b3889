import { l10n, window } from "vscode";
import { acceptedWith, rejectedWith } from "../../../../server/core/review/taken-together";
import type { ProposalView } from "../../../../server/protocol/views";
import { ordinalsOf } from "../../review/change-words";
import { openHunks, type Review } from "../../review/review-store";
import type { Command } from "../command";
import { hunkFrom } from "./hunk-argument";

/** How long it stays said what was decided together, in milliseconds. */
const shownMilliseconds = 10_000;

/** Accepts a hunk with what it needs. While that is not known, the user is asked first. */
export const acceptHunk: Command = {
  id: "kernelwright.acceptHunk",
  async run(parts, argument) {
    const target = hunkFrom(parts, argument);
    const review = target === undefined ? undefined : parts.reviews.get(target.sessionId);
    if (target === undefined || review === undefined) return;
    const hunks = await hunksToAccept(review, [target.hunk]);
    if (hunks.length > 1)
      say(l10n.t("Changes {0} are accepted as one", ordinalsOf(review.proposal, idsOf(hunks))));
    if (hunks.length > 0) await parts.decider.decide(target.sessionId, hunks, "accepted");
  },
};

/** Rejects a hunk with those that do not work without it. */
export const rejectHunk: Command = {
  id: "kernelwright.rejectHunk",
  async run(parts, argument) {
    const target = hunkFrom(parts, argument);
    const review = target === undefined ? undefined : parts.reviews.get(target.sessionId);
    if (target === undefined || review === undefined) return;
    const hunks = rejectedWith(review.proposal.hunks, target.hunk).map((hunk) => hunk.id);
    if (hunks.length > 1)
      say(l10n.t("Changes {0} are rejected as one", ordinalsOf(review.proposal, idsOf(hunks))));
    await parts.decider.decide(target.sessionId, hunks, "rejected");
  },
};

/** Open hunks that the user chose, with what they need. Empty when the user decided on nothing. */
export async function hunksToAccept(review: Review, chosen: readonly string[]): Promise<readonly string[]> {
  const { hunks } = review.proposal;
  const open = openHunks(review).map((each) => each.id);
  const isKnown = hunks.every(({ id, needs }) => !chosen.includes(id) || needs !== null);
  if (!isKnown && open.length > chosen.length) return askWhileUnknown(review.proposal, chosen, open);
  return [...new Set(chosen.flatMap((hunk) => acceptedWith(hunks, hunk).map(({ id }) => id)))];
}

async function askWhileUnknown(
  proposal: ProposalView,
  chosen: readonly string[],
  open: readonly string[],
): Promise<readonly string[]> {
  const ordinals = ordinalsOf(proposal, idsOf(chosen));
  const all = {
    label: l10n.t("Accept all {0} changes", open.length),
    description: proposal.review.claim.text,
    hunks: open,
  };
  const alone = {
    label: l10n.t("Accept change {0} alone", ordinals),
    description: l10n.t("not checked together yet"),
    hunks: chosen,
  };
  const placeHolder = l10n.t("It is not known yet whether change {0} works without the others", ordinals);
  return (await window.showQuickPick([all, alone], { placeHolder }))?.hunks ?? [];
}

function idsOf(hunks: readonly string[]): readonly { readonly id: string }[] {
  return hunks.map((id) => ({ id }));
}

function say(sentence: string): void {
  window.setStatusBarMessage(`$(link) ${sentence}`, shownMilliseconds);
}
