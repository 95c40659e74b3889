import { createTwoFilesPatch } from "diff";
import { describeSimulated, describeSizes, describeVerdict } from "../../../core/words/describe";
import { describeNanoseconds } from "../../../core/words/quantities";
import { kernelFaults } from "../../../core/words/line-faults";
import { formatTarget } from "../../../core/timing/target";
import type { SessionState } from "../../../core/trajectory/reduce";
import type { BudgetLimits, SessionEvent } from "../../../core/trajectory/events";
import type { OptimizeResult, RunningSession, Services } from "../../services/services";
import {
  type CommandContext,
  type ServiceOptions,
  readCandidateName,
  readKernelName,
  requireNoCandidate,
  requireRoleUse,
  readTarget,
  workspacePath,
} from "../command-context";
import { exitCodeOfOutcome } from "../exit-codes";
import { applyProposal } from "../session/apply-proposal";
import { nextField, printCauses, printHolds, printNext } from "../session/what-next";
import { ProgressPrinter } from "../session/progress-printer";
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

interface OptimizeOptions extends ServiceOptions {
  readonly target?: string;
  readonly strategy: string;
  readonly budget: BudgetLimits;
  readonly json: boolean;
  readonly apply: boolean;
  /** The user agrees to the commands of a target. */
  readonly agree: boolean;
  /** `SESSION` or `SESSION:c3`. */
  readonly from?: string;
  /** For the model. */
  readonly message: readonly string[];
}

/** `optimize`: a session in the terminal; gives the exit code. */
export async function optimizeCommand(
  context: CommandContext,
  kernel: string,
  options: OptimizeOptions,
): Promise<number> {
  const isCommand = kernel.startsWith(commandPrefix);
  requireRoleUse(options, isCommand);
  if (isCommand) return optimizeTarget(context, kernel.slice(commandPrefix.length), options);
  const named = readKernelName(kernel, context.terminal.currentFolder);
  const target = readTarget(options.target);
  const services = await context.openServices(named.workspaceFolder, options);
  try {
    const progress = new ProgressPrinter(context.terminal);
    progress.note(
      `optimizing ${named.name.file}${named.name.kernel ? `::${named.name.kernel}` : ""} on ${formatTarget(target)} with the ${options.strategy} strategy`,
    );
    const running = await services.optimize.start({
      ...named.name,
      target,
      strategy: options.strategy,
      budget: options.budget,
      messages: options.message,
      ...(options.from !== undefined && { from: readCandidateName(options.from) }),
      signal: context.signal,
      onEvent: (event) => progress.show(event),
    });
    for (const note of running.notes) progress.note(note);
    return await finishSession(context, services, { running, json: options.json, apply: options.apply });
  } finally {
    await services.dispose();
  }
}

/** What stands before the name of a target with a command. */
const commandPrefix = "command:";

/** The same for a target with a command, of the current folder's kernelwright.json. */
async function optimizeTarget(
  context: CommandContext,
  name: string,
  options: OptimizeOptions,
): Promise<number> {
  requireNoCandidate(options.from);
  const services = await context.openServices(context.terminal.currentFolder, options);
  try {
    const progress = new ProgressPrinter(context.terminal);
    const running = await services.optimize.startCommand({
      name,
      agreed: options.agree,
      strategy: options.strategy,
      budget: options.budget,
      messages: options.message,
      signal: context.signal,
      onEvent: (event) => progress.show(event),
    });
    return await finishSession(context, services, { running, json: options.json, apply: options.apply });
  } finally {
    await services.dispose();
  }
}

/** `resume`: goes on with a session that a crash, a limit or the user ended. */
export async function resumeCommand(
  context: CommandContext,
  sessionId: string,
  options: Pick<OptimizeOptions, "json" | "apply" | "message"> &
    ServiceOptions & { readonly budget?: BudgetLimits; readonly workspace: string },
): Promise<number> {
  const services = await context.openServices(options.workspace, options);
  try {
    if (options.role?.length) {
      const { strategy, target } = await services.sessions.summary(sessionId);
      requireRoleUse({ ...options, strategy }, target.startsWith(commandPrefix));
    }
    const progress = new ProgressPrinter(context.terminal);
    const running = await services.optimize.resume(sessionId, {
      messages: options.message,
      signal: context.signal,
      onEvent: (event) => progress.show(event),
      ...(options.budget ? { budget: options.budget } : {}),
    });
    return await finishSession(context, services, { running, json: options.json, apply: options.apply });
  } finally {
    await services.dispose();
  }
}

interface Finish {
  readonly running: RunningSession;
  readonly json: boolean;
  readonly apply: boolean;
}

async function finishSession(context: CommandContext, services: Services, finish: Finish): Promise<number> {
  const result = await finish.running.finished;
  const { events, state } = await services.sessions.read(result.sessionId);
  const { folder } = await services.sessions.summary(result.sessionId);
  const texts = result.outcome === "improved" ? await services.sessions.proposalTexts(result.sessionId) : [];
  const patch = texts
    .map((file) => createTwoFilesPatch(`a/${file.file}`, `b/${file.file}`, file.base, file.proposed))
    .join("");
  const applied =
    finish.apply && texts.length > 0 ? await applyProposal(services.workspaceFolder, texts) : [];
  if (finish.json)
    printLine(
      context.terminal,
      JSON.stringify(jsonReport({ result, state, folder, patch, applied, events })),
    );
  else
    printReport(context, {
      result,
      state,
      folder,
      patch,
      applied,
      events,
      workspaceFolder: services.workspaceFolder,
    });
  return exitCodeOfOutcome(result.outcome);
}

interface Report {
  readonly result: OptimizeResult;
  readonly state: SessionState;
  readonly folder: string;
  readonly patch: string;
  readonly events: readonly SessionEvent[];
  readonly applied: readonly string[];
}

function bestCandidate(state: SessionState): SessionState["candidates"][number] | undefined {
  return state.candidates.find((candidate) => candidate.id === state.best);
}

/** The one object of `--json`; documented in the README. */
function jsonReport(report: Report): unknown {
  const best = bestCandidate(report.state);
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
    verdict: best?.verdict ?? null,
    ...costsOf(report.state),
    candidates: report.state.candidates.map((candidate) => ({
      id: candidate.id,
      stage: candidate.stage,
      accepted: candidate.accepted,
      reason: candidate.reason,
      hypothesis: candidate.hypothesis,
      origin: candidate.origin,
      bound: candidate.verdict?.kind === "correct" ? candidate.verdict.bound : null,
    })),
    next: nextField(report.state),
    rules: report.state.heldRules,
    causes: report.state.causes,
    diff: report.patch,
    applied: report.applied,
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

function printReport(context: CommandContext, report: Report & { readonly workspaceFolder: string }): void {
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
  printProposal(terminal, report.state);
  printCourse(terminal, report);
  printCauses(terminal, report.state);
  if (report.result.outcome === "no-gain") printHolds(terminal, report.state);
  printNext(terminal, report.state, report.result.sessionId);
  for (const file of report.applied)
    printLine(terminal, `wrote ${workspacePath(report.workspaceFolder, file)}`);
  if (report.patch !== "" && report.applied.length === 0)
    printLine(terminal, "Nothing in the workspace has changed; --apply writes the proposal.");
  printLine(terminal, `session ${report.result.sessionId}  ${report.folder}`);
}

/** What is known of the version that is proposed. */
function printProposal(terminal: CommandContext["terminal"], state: SessionState): void {
  const best = bestCandidate(state);
  if (best === undefined || state.proposal === undefined) return;
  const sides = sidesOf(state.proposal);
  switch (sides.kind) {
    case "scored":
      return printScores(terminal, best.hypothesis, sides);
    case "counted":
      return printCounted(terminal, best, sides);
    case "mended":
      return printMended(terminal, best);
  }
}

/** What was counted and modelled before and after, and what it rests on. */
function printCounted(
  terminal: CommandContext["terminal"],
  best: SessionState["candidates"][number],
  proposal: Parameters<typeof comparisonRows>[0],
): void {
  if (best.verdict === null) return;
  printLine(terminal, plain(`${best.id}: ${best.hypothesis}`));
  printLine(terminal, plain(describeVerdict(best.verdict)));
  printLine(terminal);
  for (const row of formatTable(comparisonRows(proposal))) printLine(terminal, row);
  const fault = kernelFaults(proposal.before.counters)[0];
  if (fault)
    printLine(terminal, plain(`line at fault before: ${fault.line.file}:${fault.line.line}: ${fault.text}`));
  const simulated = describeSimulated(proposal.before.bound, proposal.after.bound);
  const { verdict } = best;
  const isMeasured = verdict.kind === "correct" && verdict.measured !== undefined;
  const origin = isMeasured ? "beside the measured times" : "not a time that was measured";
  printLine(
    terminal,
    `Modelled from counted events, ${origin}: ${describeNanoseconds(proposal.before.bound.nanoseconds)} → ${describeNanoseconds(proposal.after.bound.nanoseconds)}${simulated === undefined ? "" : `, simulated ${simulated}`}.`,
  );
  printEvidence(terminal, best.verdict);
}

/** What the correct version is; what was wrong before stands in the reason. */
function printMended(terminal: CommandContext["terminal"], best: SessionState["candidates"][number]): void {
  if (best.verdict === null) return;
  printLine(terminal, plain(`${best.id}: ${best.hypothesis}`));
  printLine(terminal, "There is no gain to tell: a version that is wrong has no cost to compare with.");
  printEvidence(terminal, best.verdict);
}

/** What the numbers rest on. */
function printEvidence(
  terminal: CommandContext["terminal"],
  verdict: SessionState["candidates"][number]["verdict"],
): void {
  if (verdict?.kind !== "correct") return;
  const { evidence } = verdict;
  const text = `based on source ${evidence.sourceDigest.slice(0, 12)}, target ${evidence.target}, counters at ${describeSizes(evidence.sizes)}`;
  printLine(terminal, paint(terminal, "dim", text));
}

function paintDiffLine(context: CommandContext, line: string): string {
  if (line.startsWith("+")) return paint(context.terminal, "green", line);
  if (line.startsWith("-")) return paint(context.terminal, "red", line);
  return line.startsWith("@@") ? paint(context.terminal, "cyan", line) : line;
}
