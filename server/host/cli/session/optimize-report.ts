import { describeSizes, describeVerdict } from "../../../core/words/describe";
import { describeSimulated } from "../../../core/words/names/bound-words";
import { describeNanoseconds } from "../../../core/words/quantities";
import { kernelFaults } from "../../../core/words/line-faults";
import { wholeVerdicts } from "../../../core/trajectory/proposal/whole-verdicts";
import type { Verdict } from "../../../core/judge/verdict";
import type { SessionState } from "../../../core/trajectory/reduce";
import type { SessionEvent } from "../../../core/trajectory/events";
import type { OptimizeResult } from "../../services/services";
import { type CommandContext, workspacePath } from "../command-context";
import { nextField, printCauses, printHolds, printNext } from "./what-next";
import {
  askedModels,
  comparisonRows,
  outcomeWords,
  printCourse,
  printScores,
  sidesOf,
  spendingOf,
} from "../counter-report";
import { formatTable, paint, plain, printLine } from "../terminal";

/** What came of a session that ran in the terminal. */
interface Report {
  readonly result: OptimizeResult;
  readonly state: SessionState;
  readonly folder: string;
  readonly patch: string;
  readonly events: readonly SessionEvent[];
  readonly applied: readonly string[];
  /** What somebody has to look at before the proposal is written. */
  readonly needsReview: readonly string[];
}

function bestCandidate(state: SessionState): SessionState["candidates"][number] | undefined {
  return state.candidates.find((candidate) => candidate.id === state.best);
}

/** The one object of `--json`; documented in the README. */
export function jsonReport(report: Report): object {
  const best = bestCandidate(report.state);
  const verdicts = wholeVerdicts(report.events);
  return {
    outcome: report.result.outcome,
    reason: report.result.reason,
    ending: report.state.ending ?? null,
    spent: spendingOf(report.state),
    models: askedModels(report.events),
    best: best
      ? {
          id: best.id,
          parent: best.parent ?? null,
          hypothesis: best.hypothesis,
          origin: best.origin,
          stage: best.stage,
        }
      : null,
    verdict: (best && verdicts.get(best.id)) ?? null,
    ...costsOf(report.state),
    candidates: report.state.candidates.map(({ id, stage, accepted, reason, hypothesis, origin }) => {
      const verdict = verdicts.get(id);
      const bound = verdict?.kind === "correct" ? verdict.bound : null;
      return { id, stage, accepted, reason, hypothesis, origin, bound };
    }),
    next: nextField(report.state),
    rules: report.state.heldRules,
    causes: report.state.causes,
    diff: report.patch,
    applied: report.applied,
    needsReview: report.needsReview,
    session: { id: report.result.sessionId, folder: report.folder, events: report.events.length },
  };
}

/** What both sides of a proposal cost; `null` before a version that was not correct, and what was wrong. */
function costsOf({ proposal }: SessionState): {
  readonly counters: unknown;
  readonly score: unknown;
  readonly bound: unknown;
  readonly baselineFault: unknown;
} {
  const none = { counters: null, score: null, bound: null, baselineFault: null };
  if (proposal === undefined) return none;
  const { kind, before, after } = sidesOf(proposal);
  switch (kind) {
    case "scored":
      return { ...none, score: { before, after } };
    case "counted":
      return {
        ...none,
        counters: { before: before.counters, after: after.counters },
        bound: { before: before.bound, after: after.bound },
      };
    case "mended":
      return "score" in after
        ? { ...none, score: { before: null, after }, baselineFault: before }
        : {
            ...none,
            counters: { before: null, after: after.counters },
            bound: { before: null, after: after.bound },
            baselineFault: before,
          };
  }
}

/** The same for a person. */
export function printReport(
  context: CommandContext,
  report: Report & { readonly workspaceFolder: string },
): void {
  const { terminal } = context;
  printLine(terminal);
  if (report.patch !== "") {
    for (const line of plain(report.patch).split("\n")) printLine(terminal, paintDiffLine(context, line));
  }
  const headline = outcomeWords(report.state);
  printLine(
    terminal,
    `${paint(terminal, report.result.outcome === "improved" ? "green" : "yellow", headline)}: ${plain(report.result.reason)}`,
  );
  printProposal(terminal, report);
  printCourse(terminal, report);
  printCauses(terminal, report.state);
  if (report.result.outcome === "no-gain") printHolds(terminal, report.state);
  printNext(terminal, report.state, report.result.sessionId);
  for (const file of report.applied)
    printLine(terminal, `wrote ${workspacePath(report.workspaceFolder, file)}`);
  printUnwritten(terminal, report);
  printLine(terminal, `session ${report.result.sessionId}  ${report.folder}`);
}

/** Why nothing was written, and what writes it. */
function printUnwritten(terminal: CommandContext["terminal"], report: Report): void {
  for (const remark of report.needsReview) printLine(terminal, plain(remark));
  if (report.patch === "" || report.applied.length > 0) return;
  const how =
    report.needsReview.length === 0
      ? "--apply writes the proposal."
      : "look at these lines in the diff; if they are as they should be, --apply --reviewed writes the proposal, and the editor offers it.";
  printLine(terminal, `Nothing in the workspace has changed; ${how}`);
}

/** What is known of the version that is proposed. */
function printProposal(terminal: CommandContext["terminal"], { state, events }: Report): void {
  const best = bestCandidate(state);
  const verdict = best && wholeVerdicts(events).get(best.id);
  if (best === undefined || state.proposal === undefined) return;
  const sides = sidesOf(state.proposal);
  switch (sides.kind) {
    case "scored":
      return printScores(terminal, best.hypothesis, sides);
    case "counted":
      return printCounted(terminal, { ...best, verdict }, sides);
    case "mended":
      return printMended(terminal, { ...best, verdict });
  }
}

/** The version that is proposed, with all that was found about it. */
interface Proposed {
  readonly id: string;
  readonly hypothesis: string;
  readonly verdict: Verdict | undefined;
}

/** What was counted and modelled before and after, and what it rests on. */
function printCounted(
  terminal: CommandContext["terminal"],
  best: Proposed,
  proposal: Parameters<typeof comparisonRows>[0],
): void {
  if (best.verdict === undefined) return;
  printLine(terminal, plain(`${best.id}: ${best.hypothesis}`));
  printLine(terminal, plain(describeVerdict(best.verdict)));
  printLine(terminal);
  for (const row of formatTable(comparisonRows(proposal))) printLine(terminal, row);
  const fault = kernelFaults(proposal.before.counters)[0];
  if (fault)
    printLine(terminal, plain(`line at fault before: ${fault.line.file}:${fault.line.line}: ${fault.text}`));
  const { verdict } = best;
  const isMeasured = verdict.kind === "correct" && verdict.measured !== undefined;
  const origin = isMeasured ? "beside the measured times" : "not a time that was measured";
  printLine(terminal, `${modelledTimes(proposal, origin)}.`);
  printEvidence(terminal, best.verdict);
}

/**
 * The times before and after in a sentence: by simulation where both versions were simulated, with the bound
 * behind it. `origin`: what they are not.
 */
function modelledTimes({ before, after }: Parameters<typeof comparisonRows>[0], origin: string): string {
  const bounds = `${describeNanoseconds(before.bound.nanoseconds)} → ${describeNanoseconds(after.bound.nanoseconds)}`;
  const simulated = describeSimulated(before.bound, after.bound);
  if (simulated === undefined) return `Modelled from counted events, ${origin}: ${bounds}`;
  const [then = 0, now = 0] = [before, after].map(({ bound }) => bound.simulatedNanoseconds);
  const percent = Math.round((1 - now / then) * 100);
  const change = percent === 0 ? "" : ` (${Math.abs(percent)}% ${percent > 0 ? "less" : "more"})`;
  return `Simulated on the machine code, ${origin}: ${simulated}${change}; modelled bound ${bounds}`;
}

/** What the correct version is; what was wrong before stands in the reason. */
function printMended(terminal: CommandContext["terminal"], best: Proposed): void {
  if (best.verdict === undefined) return;
  printLine(terminal, plain(`${best.id}: ${best.hypothesis}`));
  printLine(terminal, "There is no gain to tell: a version that is wrong has no cost to compare with.");
  printEvidence(terminal, best.verdict);
}

/** What the numbers rest on. */
function printEvidence(terminal: CommandContext["terminal"], verdict: Verdict): void {
  if (verdict.kind !== "correct") return;
  const { evidence } = verdict;
  const text = `based on source ${evidence.sourceDigest.slice(0, 12)}, target ${evidence.target}, counters at ${describeSizes(evidence.sizes)}`;
  printLine(terminal, paint(terminal, "dim", text));
}

function paintDiffLine(context: CommandContext, line: string): string {
  if (line.startsWith("+")) return paint(context.terminal, "green", line);
  if (line.startsWith("-")) return paint(context.terminal, "red", line);
  return line.startsWith("@@") ? paint(context.terminal, "cyan", line) : line;
}
