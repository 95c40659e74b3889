import { known } from "../../base/known";
import { counterChanges, describeFinding, describeSmallest } from "../../words/describe";
import { describeBound } from "../../words/names/bound-words";
import { machineLineOf } from "../../words/lines/machine-line";
import { describeScore } from "../../words/score";
import { lineFaults } from "../../words/line-faults";
import { describeShare } from "../../words/quantities";
import type { CorrectVerdict, Tier, Verdict } from "../../judge/verdict";
import type { KernelSpec } from "../../workload/spec";
import { fenced } from "../../prompts/render";
import type { Budget } from "../budget";
import { costText } from "./cost-text";
import { lineCosts } from "./line-costs";
import { notBuiltText, remarkLines, wrongText } from "./talk/failure-text";
import {
  type CorrectCandidate,
  type Feedback,
  type JudgedCandidate,
  type KernelVersion,
  isCorrect,
} from "../strategy";

const diagnosticsAtMost = 10;
const faultsAtMost = 5;
/** From which share of all lines' costs the waste of a line is told. */
const tellingShare = 0.05;

/**
 * The verdict as the model reads it. What happened on a hidden shape is told without its sizes, indices and
 * values.
 */
export function feedbackText(feedback: Feedback, frame: VerdictFrame): string {
  switch (feedback.kind) {
    case "rejected":
      return `Not a candidate: ${feedback.reason}. Nothing was run.`;
    case "duplicate":
      if (feedback.of.candidate.id === "baseline")
        return "These are the files as they were at the beginning: nothing has changed, so nothing was run. Edit first.";
      return `These are the files of ${feedback.of.candidate.id}, which was judged before; nothing was run again.\n${judgedText(feedback.of, frame)}`;
    case "judged":
      return judgedText(feedback.judged, frame);
  }
}

/** What a verdict is told against. */
interface VerdictFrame {
  readonly spec: KernelSpec;
  /** As in StrategyContext. */
  readonly firstCorrect: CorrectCandidate | undefined;
  /** The best version at the time of the proposal, which costs and counters are compared with. */
  readonly before: KernelVersion;
}

function judgedText(judged: JudgedCandidate, frame: VerdictFrame): string {
  const { verdict, candidate } = judged;
  const head = `${candidate.id}: ${judged.accepted ? "accepted, the best so far" : "dropped"}.`;
  if (verdict.kind !== "correct") return `${head} ${verdictText(verdict)}`;
  const { before, spec } = frame;
  const first = known(frame.firstCorrect, "the first correct version, as this one is correct").verdict;
  const correct = `${head} Correct in the ${tierText(verdict.tier)}; ${judged.reason}.`;
  if (!isCorrect(before))
    return [
      correct,
      "The kernel was wrong and is right now. From here on the number counts: make it lower.",
      ...remarkLines(verdict.cases),
      costText({ spec, verdict, first }),
      wasteText(verdict),
    ].join("\n");
  const against = before.candidate.id;
  const changes = counterChanges(before.verdict.counters.totals, verdict.counters.totals).map(
    (change) => `- ${change.label}: ${change.before} → ${change.after}`,
  );
  return [
    correct,
    ...remarkLines(verdict.cases),
    costText({ spec, verdict, first, before: { id: against, verdict: before.verdict } }),
    changes.length > 0
      ? `Totals, ${against} → ${candidate.id}:\n${changes.join("\n")}`
      : `Every total is as it was in ${against}.`,
    wasteText(verdict),
  ].join("\n");
}

/** What a tier has looked at, by its name. */
function tierText(tier: Tier): string {
  return {
    quick:
      "quick check (shapes of the objective only: hidden shapes, further inputs and other configurations of an autotuner were not tried)",
    full: "full check (all shapes, hidden ones too, several kinds of secret inputs, every configuration of an autotuner)",
  }[tier];
}

/** Waste of lines that have a part in the cost: what costs nothing is no lead. */
function wasteText(verdict: CorrectVerdict): string {
  const costs = lineCosts(verdict);
  const faults = verdict.counters.lines
    .filter((line) => costs.share(line) >= tellingShare)
    .flatMap((line) =>
      lineFaults(line, machineLineOf(verdict.facts, line.file, line.line)).map(
        ({ text }) =>
          `- ${line.file}:${line.line} (${describeShare(costs.share(line))} of the lines' cost): ${text}`,
      ),
    )
    .slice(0, faultsAtMost);
  return faults.length > 0
    ? `Still wasteful:\n${faults.join("\n")}`
    : "No line with a part in the cost wastes sectors or wavefronts.";
}

/** One verdict in a few lines. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case "did-not-parse":
    case "did-not-compile":
      return notBuiltText(verdict);
    case "refused":
      // What stands at no line of the kernel says itself what to do in its place.
      return verdict.file && verdict.line
        ? `The virtual GPU cannot run it (${verdict.reason} at ${verdict.file}:${verdict.line}). Use instructions that it knows.`
        : `The virtual GPU cannot run it: ${verdict.reason}.`;
    case "did-not-run":
      return `It compiled but did not run.\n${fenced([verdict.reason, ...verdict.findings.map(describeFinding)].slice(0, diagnosticsAtMost).join("\n"))}${leastText(verdict)}`;
    case "timed-out":
      return `It ran out of time (${verdict.limitSeconds} s) in ${verdict.stage}.`;
    case "wrong":
      return wrongText(verdict);
    case "scored":
      return `It passes the checks: ${describeScore(verdict.score)}.`;
    case "correct":
      return [
        `It is correct on ${verdict.cases.length} cases, ${describeBound(verdict.bound)}.`,
        ...remarkLines(verdict.cases),
      ].join("\n");
  }
}

function leastText({ smallest }: Extract<Verdict, { kind: "did-not-run" }>): string {
  return smallest === undefined ? "" : `\nSizes: ${describeSmallest(smallest)}.`;
}

export function budgetText({ limits, used }: Pick<Budget, "limits" | "used">): string {
  const left = (limit: number, spent = 0): number => Math.max(0, limit - spent);
  const { tokens, gpuMinutes } = limits;
  return [
    `${left(limits.candidates, used.candidates)} candidates`,
    `${Number(left(limits.minutes, used.minutes).toFixed(1))} minutes`,
    ...(gpuMinutes === undefined
      ? []
      : [`${Number(left(gpuMinutes, used.gpuMinutes).toFixed(1))} minutes of the GPU`]),
    ...(tokens === undefined ? [] : [`${left(tokens, used.tokens)} tokens`]),
    `${left(limits.usd, used.usd).toFixed(2)} USD`,
  ].join(", ");
}
