import { at } from "../../../core/base/known";
import { OperationalError } from "../../../core/base/operational-error";
import {
  describeFinding,
  describeInputs,
  describeMismatch,
  describeShape,
  describeSizes,
  describeSmallest,
  describeUnder,
  guessesBehind,
} from "../../../core/words/describe";
import { measurementLines } from "../../../core/words/measurement";
import { groundLines, proofLines } from "../../../core/words/proofs";
import { nextStep } from "../../../core/words/next-step";
import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { type KernelProfile, summarizeProfile } from "../../../core/words/profile";
import type { Verdict } from "../../../core/judge/verdict";
import { type CommandContext, type ServiceOptions, readKernelName, readTarget } from "../command-context";
import type { FoundSpec, JudgedBeside, KernelName, Services } from "../../services/services";
import { exitCodeOfError, exitCodes } from "../exit-codes";
import { failureFields, reportError } from "../failure";
import { madeHow, measuredBy, measuredReport, profileReport, readArchitectures } from "../profile-report";
import { formatTable, paint, plain, printLine, reportLine, reportWidth, wrapText } from "../terminal";

export interface JudgeOptions extends ServiceOptions {
  readonly target?: string;
  readonly json: boolean;
}

const troubleMargin = "        ";

/**
 * `check`: the kernel as it is on disk against its reference, every shape, fresh secret seeds. A file without
 * a kernel's name means each kernel of the file.
 */
export async function checkCommand(
  context: CommandContext,
  kernel: string,
  options: JudgeOptions,
): Promise<number> {
  const print: Show["print"] = (verdict) => {
    const cases = verdict.kind === "correct" || verdict.kind === "wrong" ? verdict.cases : [];
    const rows = formatTable(
      cases.map((checked) => [
        `${describeShape(checked.shape)}${checked.shape.heldOut === true ? " (held out)" : ""}`,
        `inputs ${describeInputs(checked)}`,
      ]),
    );
    for (const [index, checked] of cases.entries()) {
      const mark = checked.passed
        ? paint(context.terminal, "green", "passed")
        : paint(context.terminal, "red", "wrong ");
      printLine(context.terminal, `${mark}  ${plain(at(rows, index))}`);
      const troubles = [
        ...(checked.mismatch && !checked.passed ? [describeMismatch(checked.mismatch)] : []),
        ...checked.findings.map(describeFinding),
        ...(checked.smallest ? [describeSmallest(checked.smallest)] : []),
      ];
      for (const line of troubles.flatMap((trouble) =>
        wrapText(plain(trouble), reportWidth(context.terminal) - troubleMargin.length),
      ))
        printLine(context.terminal, `${troubleMargin}${line}`);
    }
  };
  return withJudge(context, kernel, options, async (ask) => {
    const kernels = [...new Set(await ask.services.specs.kernels(ask.name))];
    const show: Show = { print };
    if (kernels.length > 1) return judgeEach(ask, kernels, show);
    const judged = await judge(ask, show);
    if (options.json) printLine(context.terminal, JSON.stringify(judged.json));
    return judged.code;
  });
}

interface ProfileOptions extends JudgeOptions {
  /** `sm_90` or `all`: what to model the bound for; the target's own when left out. */
  readonly arch?: string;
  /** Every counter of each line, not only the most telling ones. */
  readonly details: boolean;
}

/**
 * `profile`: the counters of every source line on the first visible shape, and what they mean on one GPU or
 * one for each architecture.
 */
export async function profileCommand(
  context: CommandContext,
  kernel: string,
  options: ProfileOptions,
): Promise<number> {
  const named = options.arch === undefined ? undefined : readArchitectures(options.arch);
  // What was asked for may not say which GPU it is: `gpu:0`. What was judged on does.
  const gpusOf = (verdict: Verdict) => {
    const judgedOn = verdict.kind === "correct" ? verdict.evidence.target : options.target;
    return named ?? [gpuOfTarget(readTarget(judgedOn))];
  };
  const layout = { width: reportWidth(context.terminal), details: options.details };
  const print: Show["print"] = (verdict, profile) => {
    if (profile === undefined) return;
    const counted = verdict.kind === "correct" ? ` at ${describeSizes(verdict.evidence.sizes)}` : "";
    for (const row of profileReport([profile], gpusOf(verdict), layout))
      printLine(context.terminal, plain(row));
    printLine(context.terminal);
    printLine(
      context.terminal,
      `counted by the virtual GPU${counted}; cost, bound and caches are modelled (docs/model.md), not measured`,
    );
    printLine(
      context.terminal,
      "SASS instructions and their least stall cycles stand in the cubin, each counted once however often it runs",
    );
    for (const row of measuredReport(profile)) printLine(context.terminal, plain(row));
  };
  const json: Show["json"] = (profile, verdict) => ({
    profiles: gpusOf(verdict).map((gpu) => summarizeProfile(profile, gpu)),
    ...measuredBy(profile),
  });
  return withJudge(context, kernel, options, async (ask) => {
    const judged = await judge(ask, { print, json, tools: true });
    if (options.json) printLine(context.terminal, JSON.stringify(judged.json));
    return judged.code;
  });
}

/** What a command makes of a verdict. */
interface Show {
  readonly print: (verdict: Verdict, profile: KernelProfile | undefined) => void;
  /** More fields of the JSON object. */
  readonly json?: (profile: KernelProfile, verdict: Verdict) => object;
  /** NVIDIA's tools are asked as well, where the target is a GPU. */
  readonly tools?: boolean;
}

/** A question about the kernels of one workspace. */
interface Ask {
  readonly context: CommandContext;
  readonly services: Services;
  readonly name: KernelName;
  /** As the user wrote it. */
  readonly kernel: string;
  readonly options: JudgeOptions;
  /** What the command has judged already. */
  readonly beside?: JudgedBeside;
}

async function withJudge(
  context: CommandContext,
  kernel: string,
  options: JudgeOptions,
  answer: (ask: Ask) => Promise<number>,
): Promise<number> {
  const { workspaceFolder, name } = readKernelName(kernel, context.terminal.currentFolder);
  readTarget(options.target);
  const services = await context.openServices(workspaceFolder, options);
  try {
    return await answer({ context, services, name, kernel, options });
  } finally {
    await services.dispose();
  }
}

/** What came of one kernel. */
interface Judged {
  readonly code: number;
  readonly words: string;
  readonly json: object;
  /** It does not compile. */
  readonly failedBuild?: boolean;
}

/**
 * Each kernel of a file by itself: that one of them cannot be judged is no reason to leave out the others.
 * Where two of them fail to compile in one place, the file does, and the rest is not tried.
 */
async function judgeEach(ask: Ask, kernels: readonly string[], show: Show): Promise<number> {
  const { terminal, signal } = ask.context;
  const all: Judged[] = [];
  const beside: JudgedBeside = new Map();
  for (const [index, kernel] of kernels.entries()) {
    const failure = failureOfFile(all);
    if (failure !== undefined) {
      const rest = kernels.slice(index);
      all.push(...rest.map((name) => leftOut(ask, name, failure)));
      reportLine(terminal, plain(`not tried, since the file does not compile: ${rest.join(", ")}`));
      break;
    }
    if (!ask.options.json) printLine(terminal, paint(terminal, "bold", plain(kernel)));
    const one = { ...ask, beside, name: { ...ask.name, kernel }, kernel: `${ask.name.file}::${kernel}` };
    all.push(
      await judge(one, show).catch((thrown: unknown) => {
        if (signal.aborted || !(thrown instanceof OperationalError)) throw thrown;
        return couldNotJudge(one, kernel, thrown);
      }),
    );
    if (!ask.options.json) printLine(terminal);
  }
  if (ask.options.json)
    printLine(terminal, JSON.stringify({ file: ask.name.file, kernels: all.map(({ json }) => json) }));
  else
    for (const row of formatTable(kernels.map((kernel, index) => [kernel, at(all, index).words])))
      printLine(terminal, plain(row));
  return Math.max(...all.map(({ code }) => code));
}

/** What the first two kernels of a file fail to compile for, where that is the same. */
function failureOfFile([first, second]: readonly Judged[]): Judged | undefined {
  if (first?.failedBuild !== true || second?.failedBuild !== true) return undefined;
  return first.words === second.words ? first : undefined;
}

function leftOut({ name }: Ask, kernel: string, { code, words }: Judged): Judged {
  return {
    code,
    words: "not tried: the file does not compile",
    json: { kernel, file: name.file, outcome: "not-tried", reason: words },
  };
}

function couldNotJudge({ context, name }: Ask, kernel: string, error: OperationalError): Judged {
  reportError(context.terminal, error);
  return {
    code: exitCodeOfError(error),
    words: "could not be checked",
    json: { kernel, file: name.file, ...failureFields(error, "failed") },
  };
}

async function judge(ask: Ask, show: Show): Promise<Judged> {
  const { context, services, name, kernel, options, beside } = ask;
  const { spec, verdict, profile, notes } = await services.judge.check(name, {
    target: readTarget(options.target),
    ...(show.tools === true && { tools: true }),
    signal: context.signal,
    ...(beside && { beside }),
  });
  for (const unknown of spec.unknowns)
    reportLine(context.terminal, plain(`spec inferred, not known: ${unknown}`));
  for (const note of notes) reportLine(context.terminal, plain(note));
  const guesses = guessesBehind(verdict, spec.spec, spec.unknowns);
  const words = describeUnder(guesses, verdict);
  if (!options.json) {
    show.print(verdict, profile);
    printLine(context.terminal, plain(`${spec.spec.kernel}: ${words}`));
    if (guesses.length > 0) printGuesses(context, kernel, guesses);
    for (const line of behindVerdict(verdict)) printLine(context.terminal, plain(line));
    const last = lastWords(kernel, { spec, verdict, guesses });
    if (last !== undefined) printLine(context.terminal, plain(last));
  }
  return {
    code: verdict.kind === "correct" ? exitCodes.done : exitCodes.negative,
    words,
    failedBuild: verdict.kind === "did-not-compile",
    json: {
      kernel: spec.spec.kernel,
      file: name.file,
      spec: spec.inferred ? null : spec.specPath,
      verdict,
      ...(notes.length === 0 ? {} : { notes }),
      ...(guesses.length === 0 ? {} : { guesses }),
      ...(profile ? show.json?.(profile, verdict) : {}),
    },
  };
}

/** What is to be done about a verdict, or what what is refuted rests on; nothing where guesses come first. */
function lastWords(
  kernel: string,
  {
    spec,
    verdict,
    guesses,
  }: { readonly spec: FoundSpec; readonly verdict: Verdict; readonly guesses: readonly string[] },
): string | undefined {
  if (spec.inferred && isRefuted(verdict))
    return `what is refuted rests on extents that were found, not stated: kernelwright spec ${kernel} writes them into a file, to be corrected`;
  if (guesses.length > 0) return undefined;
  return nextStep(verdict, spec.spec.reference) ?? spec.remark;
}

/** Whether a launch showed that a correct kernel is not so at all sizes. */
function isRefuted(verdict: Verdict): boolean {
  if (verdict.kind !== "correct") return false;
  return (verdict.proofs ?? []).some(({ answers }) => answers.some(({ outcome }) => outcome === "refuted"));
}

/**
 * How the numbers of a verdict were made, what holds for all sizes, and all findings of a run that ended
 * early.
 */
function behindVerdict(verdict: Verdict): readonly string[] {
  if (verdict.kind === "correct")
    return [
      verdict.measured === undefined
        ? `${madeHow()}; a model, not a measurement`
        : `${madeHow()}; the bound is a model, what was measured stands below`,
      ...groundLines(verdict),
      ...(verdict.measured === undefined ? [] : measurementLines(verdict.measured)),
    ];
  if (verdict.kind === "wrong") return proofLines(verdict.proofs ?? []);
  if (verdict.kind !== "did-not-run") return [];
  const { findings, proofs = [] } = verdict;
  const all = findings.length < 2 ? [] : findings;
  return [...all.map((finding) => `${troubleMargin}${describeFinding(finding)}`), ...proofLines(proofs)];
}

/** Under a guess, the guess comes before any fault of the kernel. */
function printGuesses({ terminal }: CommandContext, kernel: string, guesses: readonly string[]): void {
  printLine(terminal, "is this right? It comes before any fault of the kernel:");
  for (const guess of guesses) printLine(terminal, plain(`${troubleMargin}${guess}`));
  printLine(terminal, plain(`kernelwright spec ${kernel} writes them into a file, to be corrected`));
}
