import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { CandidateView, SessionView } from "../../../server/protocol/views";
import { candidateName } from "../../webview/common/candidates";
import type { LastingCommands } from "../lasting-commands";
import { escapeMarkdown } from "../markdown";
import {
  candidateDescription,
  candidateLook,
  candidateRow,
  candidateTitle,
  childrenOf,
  type Look,
  sessionLook,
  sessionWord,
  spokenRow,
} from "../sessions/session-words";
import { hasBetter, isResumable, isRunning } from "../sessions/session-store";

/** A row of either tree. Commands of the trees' menus get the row itself. */
export type Node = SessionNode | CandidateNode;

export interface SessionNode {
  readonly kind: "session";
  readonly sessionId: string;
  readonly session: SessionView;
}

interface CandidateNode {
  readonly kind: "candidate";
  readonly sessionId: string;
  readonly session: SessionView;
  readonly candidate: CandidateView;
}

export function sessionNode(session: SessionView): SessionNode {
  return { kind: "session", sessionId: session.sessionId, session };
}

export function candidateNodes(session: SessionView, parent: string | undefined): readonly CandidateNode[] {
  return childrenOf(session, parent).map((candidate) => ({
    kind: "candidate",
    sessionId: session.sessionId,
    session,
    candidate,
  }));
}

/** Words that the menus' `when` clauses look for in `viewItem`. */
function contextOf(session: SessionView): string {
  const words = [
    "session",
    isRunning(session) ? "running" : "ended",
    isRunning(session) && (session.paused ? "paused" : "going"),
    hasBetter(session) ? "better" : "",
    isResumable(session) ? "resumable" : "",
    session.hasProposal ? "proposal" : "",
  ];
  return words.filter((word) => word !== "" && word !== false).join(" ");
}

/** The menu of a baseline, or of a run that goes on, does not offer to propose it. */
function candidateContext({ session, candidate }: CandidateNode): string {
  const isProposed = candidate.id !== "baseline" && !isRunning(session);
  const isVersion = candidate.id !== "baseline";
  const words = [isProposed ? "proposable" : "", isVersion ? "version" : ""];
  return ["candidate", candidate.state, ...words.filter(Boolean)].join(" ");
}

function themed(look: Look): ThemeIcon {
  return new ThemeIcon(look.icon, look.color === undefined ? undefined : new ThemeColor(look.color));
}

/** What a session's row says besides its view: behind its name, and how it was started, if that is known. */
interface RowWords {
  readonly description: string;
  readonly start: string;
}

/** A row for a session; everything else stands in the tooltip. */
export function sessionItem(
  session: SessionView,
  state: TreeItemCollapsibleState,
  words: RowWords,
): TreeItem {
  const item = new TreeItem(session.name ?? session.kernel, state);
  item.id = session.sessionId;
  item.description = words.description;
  item.iconPath = themed(sessionLook(session));
  item.contextValue = contextOf(session);
  item.tooltip = sessionTooltip(session, words.start);
  item.accessibilityInformation = {
    label: l10n.t(
      "Session of {0} in {1}: {2}",
      session.kernel,
      session.file,
      spokenRow(session, words.description),
    ),
  };
  return item;
}

function sessionTooltip(session: SessionView, start: string): MarkdownString {
  const rows = [
    `**${escapeMarkdown(session.kernel)}** · ${escapeMarkdown(session.file)}`,
    escapeMarkdown([sessionWord(session), session.reason].filter((part) => part !== "").join(": ")),
    escapeMarkdown(`${new Date(session.started).toLocaleString()} · ${session.target} · ${session.strategy}`),
    ...(start === "" ? [] : [escapeMarkdown(start)]),
    ...fromText(session),
    ...progressText(session),
    ...heldBackText(session),
    ...nextText(session),
    escapeMarkdown(session.folder),
  ];
  return new MarkdownString(rows.join("\n\n"));
}

/** Where a session comes from that goes on from a candidate. */
function fromText({ from }: SessionView): readonly string[] {
  if (from === undefined) return [];
  return [
    l10n.t("Goes on from {0} of session {1}", candidateName(from.candidate), escapeMarkdown(from.sessionId)),
  ];
}

function progressText({ progress }: SessionView): readonly string[] {
  if (progress === null) return [];
  const { figure = "", scores, stage, spent, lastWords } = progress;
  return [`${figure} ${scores}`.trim(), stage, spent.join(" · "), lastWords]
    .filter((part) => part !== "")
    .map(escapeMarkdown);
}

/** Why the rulebook had nothing more to try, as a list. */
function heldBackText({ heldBack }: SessionView): readonly string[] {
  if (heldBack.length === 0) return [];
  const lines = heldBack.map((text) => `- ${escapeMarkdown(text)}`);
  return [[l10n.t("What holds rules back:"), "", ...lines].join("\n")];
}

/** What was tried and what can be done now, as a list. */
function nextText({ next }: SessionView): readonly string[] {
  if (next === undefined) return [];
  const { tried, headroom, moves } = next;
  const found = [tried, headroom].filter((text) => text !== "").join(" ");
  const lines = moves.map(({ text }) => `- ${escapeMarkdown(text)}`);
  return [escapeMarkdown(found), ...(lines.length > 0 ? [lines.join("\n")] : [])];
}

export function candidateItem(node: CandidateNode, commands: LastingCommands): TreeItem {
  const { session, candidate } = node;
  const hasChildren = childrenOf(session, candidate.id).length > 0;
  const { label, description } = candidateRow(session, candidate);
  const item = new TreeItem(
    label,
    hasChildren ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None,
  );
  // A row keeps the fold it was first shown with; one that gains children is a new row, so that they are
  // seen.
  item.id = `${session.sessionId}/${candidate.id}${hasChildren ? "/" : ""}`;
  item.description = description;
  item.iconPath = themed(candidateLook(session, candidate));
  item.contextValue = candidateContext(node);
  item.command = commands.lasting({
    command: "kernelwright.openCandidate",
    title: l10n.t("Compare with Baseline"),
    arguments: [{ sessionId: session.sessionId, candidate: { id: candidate.id } }],
  });
  const tooltip = [
    `**${escapeMarkdown(candidateTitle(candidate))}**`,
    escapeMarkdown(`${candidate.origin} · ${candidateDescription(session, candidate)}`),
    escapeMarkdown(candidateName(candidate.id)),
  ];
  item.tooltip = new MarkdownString(tooltip.join("\n\n"));
  item.accessibilityInformation = {
    label: l10n.t("Candidate {0}: {1}", candidateTitle(candidate), candidateDescription(session, candidate)),
  };
  return item;
}
