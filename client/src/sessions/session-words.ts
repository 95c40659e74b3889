import { candidateName } from "../../webview/common/candidates";
import { t } from "../../webview/common/localized";
import { stateWord, statusWord } from "../../webview/common/status-words";
import type { CandidateView, SessionStatus, SessionView } from "../../../server/protocol/views";

/**
 * Statuses of a session with the editor's own icons. No meaning is carried by colour
 * alone.
 */
const statuses: Readonly<Record<SessionStatus, { readonly icon: string; readonly color?: string }>> = {
  running: { icon: "sync~spin" },
  succeeded: { icon: "pass-filled", color: "testing.iconPassed" },
  no_gain: { icon: "circle-large-outline" },
  failed: { icon: "error", color: "testing.iconFailed" },
  cancelled: { icon: "circle-slash" },
  limit: { icon: "watch" },
  crashed: { icon: "warning", color: "testing.iconQueued" },
  damaged: { icon: "warning", color: "testing.iconFailed" },
};

const candidateIcons: Readonly<
  Record<CandidateView["state"], { readonly icon: string; readonly color?: string }>
> = {
  running: { icon: "sync~spin" },
  dropped: { icon: "circle-slash" },
  accepted: { icon: "pass", color: "testing.iconPassed" },
  best: { icon: "star-full", color: "charts.yellow" },
};

export interface Look {
  readonly icon: string;
  /** Id of a theme colour. */
  readonly color?: string;
}

/** Of a proposal that was accepted in part, what came of that part; its own outcome says nothing about it. */
export function sessionLook(view: SessionView): Look {
  if (view.status === "running" && view.paused) return { icon: "debug-pause" };
  if (view.partly === null) return statuses[view.status];
  if (view.partly.passed === null) return { icon: "question" };
  return view.partly.passed ? statuses.succeeded : statuses.failed;
}

export function sessionWord(view: SessionView): string {
  if (view.status === "running" && view.paused) return t("paused");
  return view.partly?.text ?? statusWord(view.status);
}

/** What a run's row says behind its name: numbers first, since a narrow view cuts the end. */
export function runDescription(view: SessionView, now: number): string {
  const { progress } = view;
  if (progress === null) return [sessionWord(view), view.reason].filter((part) => part !== "").join(" · ");
  const isRunning = view.status === "running";
  // The icon turns while it runs.
  const state = isRunning ? pausedWord(view) : sessionWord(view);
  const words = isRunning ? progress.lastWords : view.reason;
  // How it went is of interest while it goes; behind the outcome of one that has ended.
  const figures = [progress.figure ?? "", isRunning ? progress.scores : ""]
    .filter((part) => part !== "")
    .join(" ");
  // When a run ended that was interrupted, nobody knows.
  const end = isRunning ? now : Date.parse(progress.ended ?? "");
  const time = Number.isNaN(end) ? "" : elapsedText(Date.parse(progress.began), end);
  const stage = isRunning ? progress.stage : "";
  // The icon of a gain says so; how large it is, nothing else does.
  const heads = view.status === "succeeded" ? [figures, state] : [state, figures];
  const after = isRunning ? "" : progress.scores;
  const left = isRunning ? timeLeftText(view, now) : "";
  return joined([...heads, stage, ...progress.spent, left, time, after, words]);
}

/** The row for somebody who hears it: its state, its figures without their picture, and why it ended. */
export function spokenRow(view: SessionView, description: string): string {
  const shown = description
    .split(" · ")
    .map((part) => part.replace(/[▁-█]/g, "").trim())
    .filter((part) => part !== "" && part !== view.file);
  const state = view.paused ? "" : sessionWord(view);
  return [state, ...shown, view.reason]
    .filter((part, index, parts) => part !== "" && parts.indexOf(part) === index)
    .join(", ");
}

/** `8.5 of 10 minutes left`, which go on while nothing is counted; not while it is paused. */
function timeLeftText({ paused, progress }: SessionView, now: number): string {
  const { timeLeft } = progress ?? {};
  if (timeLeft === undefined) return "";
  const { minutes, of, asOf } = timeLeft;
  const since = paused ? 0 : Math.max(0, now - Date.parse(asOf)) / 60_000;
  const left = Number(Math.max(0, minutes - since).toFixed(1));
  return of === 1 ? t("{0} of 1 minute left", left) : t("{0} of {1} minutes left", left, of);
}

/** A run that is paused finishes its present step first. */
function pausedWord({ paused, progress }: SessionView): string {
  if (!paused) return "";
  return (progress?.stage ?? "") === "" ? t("paused") : t("pauses after this step");
}

/** `0:07`, `12:30`, `1:02:03`; both in milliseconds. */
export function elapsedText(began: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - began) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const short = `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  return hours === 0 ? short : `${hours}:${short.padStart(5, "0")}`;
}

/** A candidate that was being judged when its session ended is not shown as if it still were. */
export function candidateLook(session: SessionView, view: CandidateView): Look {
  return view.state === "running" && session.status !== "running"
    ? { icon: "debug-pause" }
    : candidateIcons[view.state];
}

/** `5.39 µs, −78% · Pad the rows of tile`: numbers first, since a narrow view cuts the end. */
export function candidateTitle({ figure, hypothesis }: CandidateView): string {
  return figure === undefined ? hypothesis : `${figure} · ${hypothesis}`;
}

/** A row in a view of some 300 pixels. */
interface NarrowRow {
  readonly label: string;
  readonly description: string;
}

/**
 * `−78% · Pad the rows of tile`, then `5.39 µs` and what the icon does not say: how far it has come, or why
 * it was dropped. The tooltip has all.
 */
export function candidateRow(session: SessionView, view: CandidateView): NarrowRow {
  const [time = "", change = ""] = (view.figure ?? "").split(", ");
  const label = joined([change === "" ? time : change, shortHypothesis(view.hypothesis)]);
  const outcome = view.state === "dropped" ? view.reason || stateWord("dropped") : "";
  const isOpen = view.state === "running";
  const told = isOpen ? [view.stage, candidateState(session, view)] : [outcome];
  return { label, description: joined([lineageOf(session, view), change === "" ? "" : time, ...told]) };
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

/** Where a sentence about a change goes on with its reason. What a number replaces says what it counts. */
const reasons = /[,;:(]| so that | because | since |(?<!\d) instead of /;
/** What is handed to a function, in whose commas no sentence ends. */
const handed = /(?<=\w)\([^()]*\)/g;
/** Characters of a hypothesis that a row has room for. */
const hypothesisLength = 36;

/** What is changed, without why; a verb alone ("Multiply") does not tell, so that it keeps what follows. */
function shortHypothesis(hypothesis: string): string {
  const words = hypothesis.replace(handed, (each) => "_".repeat(each.length));
  const head = hypothesis.slice(0, reasons.exec(words)?.index).trim();
  const what = head.includes(" ") ? head : hypothesis.replace(/\.$/, "");
  if (what.length <= hypothesisLength) return what;
  return `${what.slice(0, hypothesisLength).replace(/\s+\S*$/, "")}…`;
}

/** `correct · dropped: slower than its parent`. */
export function candidateDescription(session: SessionView, view: CandidateView): string {
  const state = candidateState(session, view);
  return [lineageOf(session, view), view.stage, [state, view.reason].filter((part) => part !== "").join(": ")]
    .filter((part) => part !== "")
    .join(" · ");
}

/** `from candidate 3 of an earlier session`; empty for a candidate that was made in this one. */
function lineageOf({ from }: SessionView, { origin }: CandidateView): string {
  return from !== undefined && origin === "continued"
    ? t("from {0} of an earlier session", candidateName(from.candidate))
    : "";
}

function candidateState(session: SessionView, view: CandidateView): string {
  if (view.state !== "running") return stateWord(view.state);
  return session.status === "running" ? "" : t("not judged to the end");
}

/**
 * Candidates right below `parent`, in the order of their creation; without a known parent they stand at the
 * top.
 */
export function childrenOf(view: SessionView, parent: string | undefined): readonly CandidateView[] {
  const known = new Set(view.candidates.map((candidate) => candidate.id));
  return view.candidates.filter(
    (candidate) =>
      (candidate.parent !== undefined && known.has(candidate.parent) ? candidate.parent : undefined) ===
      parent,
  );
}

/** Parts of a message one behind the other; those that are no sentence of their own yet become one. */
export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => (/[.!?…:]$/.test(part) ? part : `${part}.`))
    .join(" ");
}
