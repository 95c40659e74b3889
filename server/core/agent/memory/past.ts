import { at } from "../../base/known";
import type { SourceTree } from "../../judge/candidate";
import { summarizeVerdict } from "../../judge/verdict-summary";
import type { SessionEvent } from "../../trajectory/events";
import type { ChallengedCase } from "../../trajectory/talk/challenged";
import { baselineId, type TriedCandidate } from "../../trajectory/state";
import { describeNanoseconds } from "../../words/quantities";
import { describeScore } from "../../words/score";
import { type Attempt, chosenAttempts, ideaOf, resultOf } from "./attempts";
import type { Skill } from "./skill";
import { resumeState, type ResumedCandidate } from "../resume";

/** A judged candidate of an earlier session, as tables tell of it. */
interface PastCandidate extends Attempt, Pick<TriedCandidate, "tree"> {}

/** An earlier session on the same kernel, from its log. */
export interface PastSession {
  readonly sessionId: string;
  /** The day, as its log has it: `2026-11-23`. */
  readonly day: string;
  /** It began with the same files as this one: what was tried then is tried. */
  readonly sameFiles: boolean;
  readonly candidates: readonly PastCandidate[];
  /** Cases that refuted candidates of it, in the order in which they did. */
  readonly refuting: readonly ChallengedCase[];
}

/** All that is known from before. */
export interface Past {
  /** On the same kernel, newest first. */
  readonly sessions: readonly PastSession[];
  /** The files of a candidate of one of them. */
  readonly filesOf: (sessionId: string, treeId: string) => Promise<SourceTree>;
  /** Of all kernels. */
  readonly skills: readonly Skill[];
}

export const noPast: Past = {
  sessions: [],
  filesOf: () => Promise.reject(new Error("there is no earlier session")),
  skills: [],
};

const rowsAtMost = 40;
const head = ["| candidate | what it did | idea |", "| --- | --- | --- |"];

/** What an earlier session tried; undefined when nothing of it was judged. */
export function pastSession(
  sessionId: string,
  events: readonly SessionEvent[],
  baselineTree: string,
): PastSession | undefined {
  const candidates = resumeState(events).candidates.flatMap(pastCandidate);
  if (candidates.every(({ id }) => id === baselineId)) return undefined;
  return {
    sessionId,
    day: at(events, 0).ts.slice(0, 10),
    sameFiles: candidates.some(({ id, tree }) => id === baselineId && tree === baselineTree),
    candidates,
    refuting: events.flatMap((event) =>
      event.type === "candidate.challenged"
        ? event.data.cases.filter(({ outcome }) => outcome === "failed")
        : [],
    ),
  };
}

function pastCandidate({ id, treeId, hypothesis, judged }: ResumedCandidate): readonly PastCandidate[] {
  if (judged === undefined) return [];
  const { accepted, reason, verdict } = judged;
  return [{ id, tree: treeId, hypothesis, accepted, reason, verdict: summarizeVerdict(verdict) }];
}

/**
 * What earlier sessions tried and what it did, for the model; empty where there was none. Each session has
 * its share of the rows, and what small ones leave of theirs is for the others.
 */
export function pastText({ sessions }: Pick<Past, "sessions">): string {
  const tried = sessions.map(triedOf);
  if (tried.every((candidates) => candidates.length === 0)) return "";
  const named = sessions.map(
    ({ day, sameFiles, candidates }, index) =>
      `p${index + 1} of ${day}, ${baselineOf(candidates)}${sameFiles ? "" : ", on other text of the files"}`,
  );
  const shares = sharesOf(tried.map(({ length }) => length));
  const shown = tried.map((candidates, index) => chosenAttempts(candidates, at(shares, index)));
  const left = tried.flat().length - shown.flat().length;
  return [
    `Earlier sessions on this target: ${named.join("; ")}. Their verdicts were made by the same judge. Do not try again what failed there on the same text; \`recall\` with call "p1/c1" gives the files of such a candidate.`,
    "",
    ...head,
    ...shown.flatMap((candidates, index) => candidates.map((each) => rowOf(index, each))),
    ...(left > 0
      ? [`(${left} more are left out; \`recall\` with call "p1" gives all of such a session)`]
      : []),
  ].join("\n");
}

/** Everything that the session behind a name like `p1` tried; undefined when there is none. */
export function wholePastText({ sessions }: Pick<Past, "sessions">, name: string): string | undefined {
  const index = Number(/^p(\d+)$/.exec(name)?.[1]) - 1;
  const session = sessions[index];
  return session && [...head, ...triedOf(session).map((each) => rowOf(index, each))].join("\n");
}

function triedOf({ candidates }: PastSession): readonly PastCandidate[] {
  return candidates.filter(({ id }) => id !== baselineId);
}

/** How many rows each session has, where it tried so many. */
function sharesOf(wanted: readonly number[]): readonly number[] {
  const shares = wanted.map(() => 0);
  let rows = rowsAtMost;
  const smallestFirst = wanted
    .map((_, index) => index)
    .toSorted((one, two) => at(wanted, one) - at(wanted, two));
  for (const [done, index] of smallestFirst.entries()) {
    shares[index] = Math.min(at(wanted, index), Math.floor(rows / (wanted.length - done)));
    rows -= at(shares, index);
  }
  return shares;
}

function rowOf(session: number, candidate: PastCandidate): string {
  return `| p${session + 1}/${candidate.id} | ${resultOf(candidate)} | ${ideaOf(candidate)} |`;
}

/** The candidate behind a name like `p1/c3`; undefined when there is none. */
export function findPast(
  { sessions }: Pick<Past, "sessions">,
  name: string,
): { readonly sessionId: string; readonly candidate: PastCandidate } | undefined {
  const [, number, id] = /^p(\d+)\/(\w+)$/.exec(name) ?? [];
  const session = sessions[Number(number) - 1];
  const candidate = session?.candidates.find((each) => each.id === id);
  return session && candidate ? { sessionId: session.sessionId, candidate } : undefined;
}

function baselineOf(candidates: readonly PastCandidate[]): string {
  const verdict = candidates.find(({ id }) => id === baselineId)?.verdict;
  if (verdict === undefined) return "its baseline was not judged";
  if (verdict.kind === "scored") return `its baseline had ${describeScore(verdict.score)}`;
  return verdict.kind === "correct"
    ? `its baseline took ${describeNanoseconds(verdict.bound.nanoseconds)}`
    : "its baseline was not correct";
}
