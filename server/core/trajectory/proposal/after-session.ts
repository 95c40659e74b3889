import { retold, t } from "../../base/localized";
import { candidateHead, candidateName, resourceWords } from "../../words/names/names";
import { simulatedLimitWords } from "../../words/names/bound-words";
import type { ModelledBound, Verdict } from "../../judge/verdict";
import { describeNanoseconds, plural } from "../../words/quantities";
import { beganWrong } from "./outcome-words";
import { shownTimeKind, timeOfKind } from "./shown-time";
import { type CandidateRecord, type SessionState, baselineId } from "../state";

/**
 * What somebody can do once a session has ended: look at the proposal, let a model try, go on from a
 * candidate or with more budget, mend what kept the session from working.
 */
interface NextMove {
  readonly kind: "review" | "model" | "continue" | "resume" | "test-model" | "address" | "price" | "mend";
  /** One or two sentences. */
  readonly text: string;
  /** The candidate that it is about. */
  readonly candidate?: string;
}

/** How a session went, and what comes after it. */
export interface AfterSession {
  /** `7 candidates: 1 faster, 4 correct and not faster, 2 wrong.` */
  readonly tried: string;
  /** What sets the bound of the best version and what is below it; empty where nothing was modelled. */
  readonly headroom: string;
  readonly moves: readonly NextMove[];
}

type Ended = Pick<
  SessionState,
  "status" | "ending" | "task" | "candidates" | "bounds" | "best" | "proposal" | "heldRules" | "reason"
>;

/** Undefined while the session goes on, and where its log has no end. */
export function afterSession(state: Ended): AfterSession | undefined {
  if (state.status === "open") return undefined;
  const bound = bestBound(state);
  const headroom = state.ending === "at-floor" ? floorText(bound) : headroomText(bound);
  return { tried: triedText(state), headroom, moves: movesOf(state) };
}

const outcomes: Readonly<Record<Verdict["kind"], string>> = {
  correct: "correct and not faster",
  scored: "measured and not better",
  wrong: "wrong",
  "did-not-parse": "did not parse",
  "did-not-compile": "did not compile",
  "did-not-run": "did not run",
  refused: "refused by the virtual GPU",
  "timed-out": "out of time",
};

function triedText(state: Ended): string {
  const tried = state.candidates.filter(({ id }) => id !== baselineId);
  if (tried.length === 0) return t`Nothing was tried.`;
  const counts = new Map<string, number>();
  const mended = beganWrong(state) ? tried.find(({ accepted }) => accepted) : undefined;
  for (const candidate of tried) {
    const outcome = candidate === mended ? t`the first that is correct` : outcomeOf(candidate);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const parts = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `${plural(tried.length, "candidate")}: ${parts.join(", ")}.`;
}

function outcomeOf({ accepted, verdict }: CandidateRecord): string {
  if (accepted) return t`faster`;
  return verdict === null ? t`not judged to the end` : retold(outcomes[verdict.kind]);
}

function bestBound({ bounds, best, proposal }: Ended): ModelledBound | undefined {
  const id = best ?? baselineId;
  // The user may have made another version the proposal than the search has found best.
  const after = proposal?.candidate === id ? proposal.after : undefined;
  return after !== undefined && "bound" in after ? after.bound : bounds.get(id);
}

/** At the floor of the task nothing is left to gain, whatever the next term is. */
function floorText(bound: ModelledBound | undefined): string {
  const [first] = Object.entries(bound?.terms ?? {}).toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] <= 0)
    return t`The best version is at the floor of the task: no rewrite can lower its cost.`;
  const [binding, most] = first;
  return t`The best version is at the floor of the task: no rewrite can lower what sets its bound, ${resourceWords(binding)} with ${describeNanoseconds(most)}.`;
}

/** From this share of the greatest term on, the next one binds as well. */
const alike = 0.9;

function headroomText(bound: ModelledBound | undefined): string {
  if (bound === undefined) return "";
  const [first, second] = Object.entries(bound.terms).toSorted(([, a], [, b]) => b - a);
  if (first === undefined || second === undefined || first[1] <= 0) return "";
  const [binding, most] = first;
  const [next, less] = second;
  const [name, other] = [resourceWords(binding), resourceWords(next)];
  const limit = simulatedLimitWords(bound);
  if (limit !== undefined && bound.simulatedNanoseconds !== undefined)
    return t`Its simulated time of ${describeNanoseconds(bound.simulatedNanoseconds)} is far above the bound of ${describeNanoseconds(bound.nanoseconds)} (${name}): most of it is spent on ${limit}.`;
  const both = t`${name} with ${describeNanoseconds(most)}`;
  if (less >= most * alike)
    return t`What sets the bound is ${both}, and ${other} with ${describeNanoseconds(less)}: both have to go down.`;
  const percent = Math.round((1 - less / most) * 100);
  return t`What sets the bound is ${both}; next is ${other} with ${describeNanoseconds(less)}. Reducing ${name} alone gains at most ${percent}%.`;
}

function movesOf(state: Ended): readonly NextMove[] {
  switch (state.status) {
    case "succeeded":
      return [...reviewMoves(state), ...earlyMoves(state), ...modelMoves(state)];
    case "no_gain":
      return [...modelMoves(state), ...closestMoves(state)];
    case "limit":
      return [resumed(t`It ended at its budget: Resume gives it as much again.`), ...closestMoves(state)];
    case "cancelled":
    case "crashed":
      return [...reviewMoves(state), resumed(t`Resume goes on from its newest checkpoint.`)];
    default:
      return failedMoves(state);
  }
}

function resumed(text: string): NextMove {
  return { kind: "resume", text };
}

function reviewMoves({ proposal }: Ended): readonly NextMove[] {
  if (proposal === undefined || !proposal.hunks.some(({ decision }) => decision === "open")) return [];
  const { candidate } = proposal;
  const text = t`Review the changes of ${candidateName(candidate)} and accept what you want.`;
  return [{ kind: "review", candidate, text }];
}

/** A run that the user has ended for its best version may have found more. */
function earlyMoves({ ending, best }: Ended): readonly NextMove[] {
  if (ending !== "taken" || best === undefined || best === baselineId) return [];
  const text = t`You ended the run early: it can go on from ${candidateName(best)}.`;
  return [{ kind: "continue", candidate: best, text }];
}

/** What a model could add where only rules were tried. */
function modelMoves({ task, ending, heldRules, best }: Ended): readonly NextMove[] {
  if (task === undefined || task.model !== undefined) return [];
  if (ending === "baseline-not-correct" || ending === "at-floor") return [];
  const isHeld = heldRules.some(({ because }) => because !== "no-pattern" && because !== "no-evidence");
  const what = isHeld ? t`do what rules must leave` : t`find what no rule looks for`;
  const onTop = best === undefined || best === baselineId ? {} : { candidate: best };
  return [{ kind: "model", ...onTop, text: t`A model may ${what}: choose the strategy refine or search.` }];
}

/** The correct candidate that came closest to what nothing was better than; else the newest. */
function closestMoves({ candidates, best, task, ending }: Ended): readonly NextMove[] {
  if (ending === "at-floor") return [];
  if ((best !== undefined && best !== baselineId) || task?.model === undefined) return [];
  const tried = candidates.filter(({ id }) => id !== baselineId);
  const kind = shownTimeKind(candidates);
  const [closest] = tried
    .flatMap(({ id, verdict }) => {
      const nanoseconds = verdict?.kind === "correct" ? timeOfKind(verdict, kind) : undefined;
      return nanoseconds === undefined ? [] : [{ id, nanoseconds }];
    })
    .toSorted((a, b) => a.nanoseconds - b.nanoseconds);
  const newest = tried.at(-1)?.id;
  const isAnyCorrect = tried.some(({ verdict }) => verdict?.kind === "correct");
  if (!isAnyCorrect && newest !== undefined)
    return [
      {
        kind: "continue",
        candidate: newest,
        text: t`Nothing that was tried is correct: go on from ${candidateName(newest)}, and tell the model what to heed.`,
      },
    ];
  if (closest === undefined) return [];
  const { id, nanoseconds } = closest;
  return [
    {
      kind: "continue",
      candidate: id,
      text: t`${candidateHead(id)} came closest, with ${describeNanoseconds(nanoseconds)}: go on from it, and tell the model what to try.`,
    },
  ];
}

/** As the editor names them. */
const settings = { address: "kernelwright.model.endpoint", price: "kernelwright.model.price" };

function failedMoves({ ending, reason }: Ended): readonly NextMove[] {
  if (ending === "no-rule-mends")
    return [
      { kind: "model", text: t`A model can mend the kernel: choose the strategy refine or search.` },
      { kind: "mend", text: t`Or mend it yourself; Check tells every case that fails.` },
    ];
  if (ending === "baseline-not-correct")
    return [{ kind: "mend", text: t`Mend the kernel first; Check tells every case that fails.` }];
  if (ending === "model-unreachable")
    return [
      {
        kind: "test-model",
        text: t`Its address is the setting ${settings.address}; Test Model asks it for one word and says what is wrong.`,
      },
      { kind: "address", text: t`Change Address opens that setting.` },
      resumed(t`Resume goes on once the model answers.`),
    ];
  if (ending === "no-price")
    return [
      { kind: "price", text: t`Its price is the setting ${settings.price}; Set Price opens it.` },
      resumed(t`Resume goes on once the price is known.`),
    ];
  return reason === "" ? [] : [resumed(t`Resume tries again from its newest checkpoint.`)];
}
