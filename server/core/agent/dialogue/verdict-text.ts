import {
  counterChanges,
  describeBound,
  describeDiagnostic,
  describeFailure,
  describeFinding,
  describeSizes,
  termNames,
} from "../../words/describe";
import { kernelFaults } from "../../words/line-faults";
import type { CheckedCase, ModelledBound, Verdict } from "../../judge/verdict";
import { fenced } from "../../prompts/render";
import type { Budget } from "../budget";
import type { CorrectCandidate, Feedback, JudgedCandidate } from "../strategy";

const diagnosticsAtMost = 10;
const casesAtMost = 3;
const faultsAtMost = 5;

/**
 * The verdict as the model reads it. What happened on a hidden shape is told without its sizes, indices and
 * values.
 */
export function feedbackText(feedback: Feedback, before: CorrectCandidate): string {
  switch (feedback.kind) {
    case "rejected":
      return `Not a candidate: ${feedback.reason}. Nothing was run.`;
    case "duplicate":
      if (feedback.of.candidate.id === "baseline")
        return "These are the files as they were at the beginning: nothing has changed, so nothing was run. Edit first.";
      return `These are the files of ${feedback.of.candidate.id}, which was judged before; nothing was run again.\n${judgedText(feedback.of, before)}`;
    case "judged":
      return judgedText(feedback.judged, before);
  }
}

/** `before`: the best candidate at the time of the proposal, which the counters are compared with. */
function judgedText(judged: JudgedCandidate, before: CorrectCandidate): string {
  const { verdict } = judged;
  const head = `${judged.candidate.id}: ${judged.accepted ? "accepted, the best so far" : "dropped"}.`;
  if (verdict.kind !== "correct") return `${head} ${verdictText(verdict)}`;
  const against = before.candidate.id;
  const changes = counterChanges(before.verdict.counters.totals, verdict.counters.totals).map(
    (change) => `- ${change.label}: ${change.before} → ${change.after}`,
  );
  const faults = kernelFaults(verdict.counters)
    .slice(0, faultsAtMost)
    .map((fault) => `- ${fault.line.file}:${fault.line.line}: ${fault.text}`);
  return [
    `${head} Correct; ${judged.reason}.`,
    changes.length > 0
      ? `Totals, ${against} → ${judged.candidate.id}:\n${changes.join("\n")}`
      : `Every total is as it was in ${against}.`,
    faults.length > 0 ? `Still wasteful:\n${faults.join("\n")}` : "No line wastes sectors or wavefronts.",
  ].join("\n");
}

/** One verdict in a few lines. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case "did-not-parse":
      return `It does not parse.\n${fenced(diagnosticLines(verdict))}`;
    case "did-not-compile":
      return `It does not compile.\n${fenced(diagnosticLines(verdict))}`;
    case "refused":
      return `The virtual GPU cannot run it (${verdict.reason}${verdict.line ? ` at ${verdict.file ?? ""}:${verdict.line}` : ""}). Use instructions that it knows.`;
    case "did-not-run":
      return `It compiled but did not run.\n${fenced([verdict.reason, ...verdict.findings.map(describeFinding)].slice(0, diagnosticsAtMost).join("\n"))}`;
    case "timed-out":
      return `It ran out of time (${verdict.limitSeconds} s) in ${verdict.stage}.`;
    case "wrong":
      return `It is wrong.\n${firstOfEachShape(verdict.cases.filter((checked) => !checked.passed))
        .slice(0, casesAtMost)
        .map((checked) => `- ${caseText(checked)}`)
        .join("\n")}`;
    case "correct":
      return `It is correct on ${verdict.cases.length} cases, ${describeBound(verdict.bound)}; terms in nanoseconds: ${termsText(verdict.bound)}.`;
  }
}

/** Candidates as a list, for a session that goes on. */
export function candidateLine(judged: JudgedCandidate): string {
  return `- ${judged.candidate.id}: ${judged.accepted ? "accepted" : "dropped"}, ${judged.verdict.kind}: ${judged.candidate.hypothesis}`;
}

export function budgetText(budget: Budget): string {
  const { limits, used } = budget;
  const minutes = Math.max(0, limits.minutes - used.minutes);
  return `${Math.max(0, limits.candidates - used.candidates)} candidates, ${Number(minutes.toFixed(1))} minutes, ${Math.max(0, limits.usd - used.usd).toFixed(2)} USD`;
}

/**
 * A shape is run with several seeds; one failure of it says enough. Hidden shapes look alike and count as
 * one.
 */
function firstOfEachShape(failed: readonly CheckedCase[]): readonly CheckedCase[] {
  const key = ({ shape }: CheckedCase): string =>
    shape.heldOut === true ? "hidden" : describeSizes(shape.sizes);
  return failed.filter(
    (checked, index) => failed.findIndex((other) => key(other) === key(checked)) === index,
  );
}

function caseText(checked: CheckedCase): string {
  if (checked.shape.heldOut !== true)
    return describeFailure(checked) ?? `shape ${describeSizes(checked.shape.sizes)}`;
  const finding = checked.findings[0];
  const what = finding ? `${finding.kind} at ${finding.file}:${finding.line}` : "some values are wrong";
  return `a hidden shape: ${what}. Make it right for every size, multiples of the block or not.`;
}

function diagnosticLines(verdict: Extract<Verdict, { diagnostics: unknown }>): string {
  const errors = verdict.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  return (errors.length > 0 ? errors : verdict.diagnostics)
    .slice(0, diagnosticsAtMost)
    .map(describeDiagnostic)
    .join("\n");
}

function termsText(bound: ModelledBound): string {
  return termNames(bound)
    .map((name) => `${name} ${Number((bound.terms[name] ?? 0).toPrecision(3))}`)
    .join(", ");
}
