import { l10n } from "vscode";
import { settingPage } from "../setting-page";
import { candidateName } from "../../webview/common/candidates";
import type { NextMoveView, SessionView } from "../../../server/protocol/views";

/** Something to do about a session, as a button or a row. */
interface Action {
  readonly title: string;
  readonly command: string;
  readonly argument: unknown;
  /** One or two sentences; empty where the title says it. */
  readonly text: string;
}

type Button = (session: { readonly sessionId: string }, candidate: string) => Omit<Action, "text">;

const buttons: { readonly [Kind in NextMoveView["kind"]]?: Button } = {
  review: (session) => ({
    title: l10n.t("Review Proposal"),
    command: "kernelwright.reviewProposal",
    argument: session,
  }),
  model: () => ({
    title: l10n.t("Select Strategy"),
    command: "kernelwright.selectStrategy",
    argument: undefined,
  }),
  continue: ({ sessionId }, candidate) => ({
    title: l10n.t("Continue from {0}", candidateName(candidate)),
    command: "kernelwright.continueFromCandidate",
    argument: { sessionId, candidate: { id: candidate } },
  }),
  resume: (session) => ({ title: l10n.t("Resume"), command: "kernelwright.resume", argument: session }),
  "test-model": () => ({
    title: l10n.t("Test Model"),
    command: "kernelwright.testModel",
    argument: undefined,
  }),
  address: () => ({ title: l10n.t("Change Address"), ...settingPage("kernelwright.model.endpoint") }),
  price: () => ({ title: l10n.t("Set Price"), ...settingPage("kernelwright.model.price") }),
};

/** What can be done about a session that has ended, what suits best first, and its report. */
export function nextActions({ sessionId, status, next }: SessionView): readonly Action[] {
  // Of a run that was interrupted the log has no end, and so nothing about what comes after it.
  const told: readonly Pick<NextMoveView, "kind" | "text" | "candidate">[] =
    status === "crashed" ? [{ kind: "resume", text: "" }] : (next?.moves ?? []);
  const moves = told.flatMap(({ kind, text, candidate = "" }) => {
    const button = buttons[kind]?.({ sessionId }, candidate);
    return button === undefined ? [] : [{ ...button, text }];
  });
  const report = {
    title: l10n.t("Open Report"),
    command: "kernelwright.openReport",
    argument: { sessionId },
  };
  return [...moves, { ...report, text: "" }];
}
