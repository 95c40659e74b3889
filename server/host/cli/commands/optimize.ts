import { createTwoFilesPatch } from "diff";
import { formatTarget } from "../../../core/timing/target";
import type { BudgetLimits } from "../../../core/trajectory/events";
import type { RunningSession, Services } from "../../services/services";
import type { KernelName } from "../../services/sources/ports";
import {
  type CommandContext,
  type ServiceOptions,
  readCandidateName,
  readKernelName,
  requireModelUse,
  requireNoCandidate,
  requireRoleUse,
  readTarget,
} from "../command-context";
import { outcomeWords } from "../counter-report";
import { exitCodeOfOutcome } from "../exit-codes";
import { eachKernel, type Finished } from "../session/each-kernel";
import { applyProposal } from "../session/apply-proposal";
import { ProgressPrinter } from "../session/progress-printer";
import { jsonReport, printReport } from "../session/optimize-report";
import { reviewsOfProposal } from "../../../core/trajectory/proposal/needed-reviews";
import { printLine } from "../terminal";

interface OptimizeOptions extends ServiceOptions {
  readonly target?: string;
  readonly strategy: string;
  readonly budget: BudgetLimits;
  readonly json: boolean;
  readonly apply: boolean;
  /** The user has seen what needs a review: it is written all the same. */
  readonly reviewed: boolean;
  /** The user agrees to the commands of a target. */
  readonly agree: boolean;
  /** `SESSION` or `SESSION:c3`. */
  readonly from?: string;
  /** For the model. */
  readonly message: readonly string[];
}

/**
 * `optimize`: a session in the terminal; gives the exit code. A file without a kernel's name means a session
 * for each kernel of the file, one after the other.
 */
export async function optimizeCommand(
  context: CommandContext,
  kernel: string,
  options: OptimizeOptions,
): Promise<number> {
  const isCommand = kernel.startsWith(commandPrefix);
  requireRoleUse(options, isCommand);
  requireModelUse(options);
  if (isCommand) return optimizeTarget(context, kernel.slice(commandPrefix.length), options);
  const named = readKernelName(kernel, context.terminal.currentFolder);
  readTarget(options.target);
  const services = await context.openServices(named.workspaceFolder, options);
  try {
    const isWhole = options.from === undefined;
    const distinct = [...new Set(isWhole ? await services.specs.kernels(named.name) : [])];
    const run = (name: KernelName): Promise<Finished> => optimizeKernel(context, services, { name, options });
    if (distinct.length > 1)
      return await eachKernel(context, { name: named.name, kernels: distinct, json: options.json }, run);
    const { code, json } = await run(named.name);
    if (options.json) printLine(context.terminal, JSON.stringify(json));
    return code;
  } finally {
    await services.dispose();
  }
}

async function optimizeKernel(
  context: CommandContext,
  services: Services,
  { name, options }: { readonly name: KernelName; readonly options: OptimizeOptions },
): Promise<Finished> {
  const target = readTarget(options.target);
  const progress = new ProgressPrinter(context.terminal);
  progress.note(
    `optimizing ${name.file}${name.kernel ? `::${name.kernel}` : ""} on ${formatTarget(target)} with the ${options.strategy} strategy`,
  );
  const running = await services.optimize.start({
    ...name,
    target,
    strategy: options.strategy,
    budget: options.budget,
    messages: options.message,
    ...(options.from !== undefined && { from: readCandidateName(options.from) }),
    signal: context.signal,
    onEvent: (event) => progress.show(event),
  });
  for (const note of running.notes) progress.note(note);
  return finishSession(context, services, { ...options, running });
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
    const finished = await finishSession(context, services, { ...options, running });
    if (options.json) printLine(context.terminal, JSON.stringify(finished.json));
    return finished.code;
  } finally {
    await services.dispose();
  }
}

/** `resume`: goes on with a session that a crash, a limit or the user ended. */
export async function resumeCommand(
  context: CommandContext,
  sessionId: string,
  options: Pick<OptimizeOptions, "json" | "apply" | "reviewed" | "message"> &
    ServiceOptions & { readonly budget: Partial<BudgetLimits>; readonly workspace: string },
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
      budget: options.budget,
    });
    const finished = await finishSession(context, services, { ...options, running });
    if (options.json) printLine(context.terminal, JSON.stringify(finished.json));
    return finished.code;
  } finally {
    await services.dispose();
  }
}

interface Finish {
  readonly running: RunningSession;
  readonly json: boolean;
  readonly apply: boolean;
  readonly reviewed: boolean;
}

/** What came of a session, printed already unless `--json` was asked for. */
async function finishSession(context: CommandContext, services: Services, finish: Finish): Promise<Finished> {
  const result = await finish.running.finished;
  const { logged, state } = await services.sessions.read(result.sessionId);
  const events = await logged.all();
  const { folder } = await services.sessions.summary(result.sessionId);
  const texts = result.outcome === "improved" ? await services.sessions.proposalTexts(result.sessionId) : [];
  const patch = texts
    .map(({ file, base, proposed, isNew }) =>
      createTwoFilesPatch(isNew ? "/dev/null" : `a/${file}`, `b/${file}`, base, proposed),
    )
    .join("");
  const needsReview = reviewsOfProposal(state, events);
  const isWritten = finish.apply && texts.length > 0 && (finish.reviewed || needsReview.length === 0);
  const applied = isWritten ? await applyProposal(services.workspaceFolder, texts) : [];
  const report = { result, state, folder, patch, applied, needsReview, events };
  if (!finish.json) printReport(context, { ...report, workspaceFolder: services.workspaceFolder });
  return {
    code: exitCodeOfOutcome(result.outcome),
    words: `${outcomeWords(state)}: ${result.reason}`,
    json: jsonReport(report),
    proposal: texts,
  };
}
