import { shown } from "../handshake/user-language";
import { retold } from "../../../core/base/localized";
import { asSentence } from "../../../core/base/text";
import type { SessionSummary } from "../../../core/ports/run-store";
import { afterSession } from "../../../core/trajectory/proposal/after-session";
import { shownTimeKind } from "../../../core/trajectory/proposal/shown-time";
import type { SessionState } from "../../../core/trajectory/reduce";
import { partialAcceptance } from "../../../core/trajectory/summary";
import { describeTarget } from "../../../core/words/names/names";
import { heldRuleTexts } from "../../../core/words/rule-text";
import type { SessionView } from "../../../protocol/views";
import { candidateFigures } from "./convert-candidate";
import { toProgressView } from "./convert-progress";

/** Reasons of rules that a session shows: more would hide the first. */
const shownHolds = 5;

/**
 * A session as the run tree shows it. `status` comes from who knows whether a writer lives; the events alone
 * cannot tell.
 */
export const toSessionView = shown(
  (
    summary: Pick<SessionSummary, "sessionId" | "file" | "folder" | "status" | "name">,
    state: SessionState,
  ): SessionView => {
    const figureOf = candidateFigures(state.candidates);
    const status = state.status === "open" ? summary.status : state.status;
    return {
      sessionId: summary.sessionId,
      ...nameOf(summary),
      file: summary.file,
      kernel: state.task?.kernel ?? "",
      target: describeTarget(state.task?.target ?? ""),
      strategy: state.task?.strategy ?? "",
      status,
      reason: asSentence(retold(state.reason)),
      started: state.started,
      folder: summary.folder,
      ...fromOf(state.task?.from),
      candidates: state.candidates.map((candidate) => ({
        id: candidate.id,
        ...(candidate.parent === undefined ? {} : { parent: candidate.parent }),
        hypothesis: retold(candidate.hypothesis),
        origin: candidate.origin,
        stage: candidate.stage,
        state: candidate.state,
        ...figureField(figureOf(candidate)),
        reason: retold(candidate.reason),
      })),
      paused: state.paused,
      progress: toProgressView(state, status === "running"),
      hasProposal: state.proposal !== undefined,
      heldBack: heldRuleTexts(state.heldRules, shownHolds),
      ...nextOf(state),
      partly: partialAcceptance(state.proposal) ?? null,
      timeKind: shownTimeKind(state.candidates),
    };
  },
);

function nextOf(state: SessionState): Pick<SessionView, "next"> {
  const next = afterSession(state);
  return next === undefined ? {} : { next };
}

function figureField(figure: string | undefined): { readonly figure?: string } {
  return figure === undefined ? {} : { figure };
}

/** A row of the list: no candidates, so that a hundred sessions stay small. */
export const toSessionRow = shown((summary: SessionSummary): SessionView => {
  const { sessionId, file, kernel, target, strategy, status, reason, started, folder, best, partly } =
    summary;
  return {
    sessionId,
    ...nameOf(summary),
    file,
    kernel,
    target: describeTarget(target),
    strategy,
    status,
    reason: asSentence(retold(reason)),
    started,
    folder,
    ...fromOf(summary.from),
    candidates: [],
    paused: false,
    progress: null,
    hasProposal: best !== null && best !== "baseline",
    heldBack: [],
    partly: partly && { ...partly, text: retold(partly.text) },
  };
});

function fromOf(from: SessionSummary["from"]): Pick<SessionView, "from"> {
  return from === undefined ? {} : { from: { sessionId: from.session, candidate: from.candidate } };
}

function nameOf({ name }: Pick<SessionSummary, "name">): { readonly name?: string } {
  return name === undefined ? {} : { name };
}
