import {
  describeFinding,
  describeInputs,
  describeMismatch,
  describeShape,
  describeSizes,
  describeVerdict,
  guessesBehind,
} from "../../../core/words/describe";
import { defaultGpu } from "../../../core/timing/gpu-model";
import { type KernelProfile, summarizeProfile } from "../../../core/words/profile";
import type { Verdict } from "../../../core/judge/verdict";
import { type CommandContext, type ServiceOptions, readKernelName, readTarget } from "../command-context";
import type { FoundSpec } from "../../services/services";
import { exitCodes } from "../exit-codes";
import { profileReport, readArchitectures } from "../profile-report";
import { formatTable, paint, plain, printLine, reportLine, reportWidth, wrapText } from "../terminal";

export interface JudgeOptions extends ServiceOptions {
  readonly target?: string;
  readonly json: boolean;
}

const troubleMargin = "        ";

/** `check`: the kernel as it is on disk against its reference, every shape, fresh secret seeds. */
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
    for (const [at, checked] of cases.entries()) {
      const mark = checked.passed
        ? paint(context.terminal, "green", "passed")
        : paint(context.terminal, "red", "wrong ");
      printLine(context.terminal, `${mark}  ${plain(rows[at] ?? "")}`);
      const troubles = [
        ...(checked.mismatch && !checked.passed ? [describeMismatch(checked.mismatch)] : []),
        ...checked.findings.map(describeFinding),
      ];
      for (const line of troubles.flatMap((trouble) =>
        wrapText(plain(trouble), reportWidth(context.terminal) - troubleMargin.length),
      ))
        printLine(context.terminal, `${troubleMargin}${line}`);
    }
  };
  return judge(context, kernel, options, { print });
}

export interface ProfileOptions extends JudgeOptions {
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
  const gpus = readArchitectures(options.arch ?? readTarget(options.target).architecture) ?? [
    defaultGpu(readTarget(options.target).architecture),
  ];
  const layout = { width: reportWidth(context.terminal), details: options.details };
  const print: Show["print"] = (verdict, profile) => {
    if (profile === undefined) return;
    const counted = verdict.kind === "correct" ? ` at ${describeSizes(verdict.evidence.sizes)}` : "";
    for (const row of profileReport([profile], gpus, layout)) printLine(context.terminal, plain(row));
    printLine(context.terminal);
    printLine(
      context.terminal,
      `counted by the virtual GPU${counted}; cost, bound and caches are modelled (docs/model.md), not measured`,
    );
    printLine(
      context.terminal,
      "SASS instructions and their least stall cycles stand in the cubin, each counted once however often it runs",
    );
  };
  return judge(context, kernel, options, {
    print,
    json: (profile) => ({ profiles: gpus.map((gpu) => summarizeProfile(profile, gpu)) }),
  });
}

/** What a command makes of a verdict. */
interface Show {
  readonly print: (verdict: Verdict, profile: KernelProfile | undefined) => void;
  /** More fields of the JSON object. */
  readonly json?: (profile: KernelProfile) => object;
}

async function judge(
  context: CommandContext,
  kernel: string,
  options: JudgeOptions,
  show: Show,
): Promise<number> {
  const named = readKernelName(kernel, context.terminal.currentFolder);
  const target = readTarget(options.target);
  const services = await context.openServices(named.workspaceFolder, options);
  try {
    const { spec, verdict, profile, notes } = await services.judge.check(named.name, {
      target,
      signal: context.signal,
    });
    for (const unknown of spec.unknowns)
      reportLine(context.terminal, plain(`spec inferred, not known: ${unknown}`));
    for (const note of notes) reportLine(context.terminal, plain(note));
    if (options.json)
      printLine(
        context.terminal,
        JSON.stringify({
          kernel: spec.spec.kernel,
          file: named.name.file,
          spec: spec.inferred ? null : spec.specPath,
          verdict,
          ...(notes.length === 0 ? {} : { notes }),
          ...guessesOf(verdict, spec),
          ...(profile ? show.json?.(profile) : {}),
        }),
      );
    else {
      show.print(verdict, profile);
      printLine(context.terminal, plain(`${spec.spec.kernel}: ${describeVerdict(verdict)}`));
      if (verdict.kind === "did-not-run" && verdict.findings.length > 1)
        for (const finding of verdict.findings)
          printLine(context.terminal, plain(`${troubleMargin}${describeFinding(finding)}`));
      printGuesses(context, kernel, guessesBehind(verdict, spec.spec, spec.unknowns));
    }
    return verdict.kind === "correct" ? exitCodes.done : exitCodes.negative;
  } finally {
    await services.dispose();
  }
}

/** Of a kernel that is not correct: the guesses that come before any fault of it. */
function guessesOf(
  verdict: Verdict,
  { spec, unknowns }: FoundSpec,
): { readonly guesses?: readonly string[] } {
  const guesses = guessesBehind(verdict, spec, unknowns);
  return guesses.length === 0 ? {} : { guesses };
}

/** Under a guess, the guess comes before any fault of the kernel. */
function printGuesses({ terminal }: CommandContext, kernel: string, guesses: readonly string[]): void {
  if (guesses.length === 0) return;
  printLine(terminal, "this rests on guesses, which come before any fault of the kernel:");
  for (const guess of guesses) printLine(terminal, plain(`${troubleMargin}${guess}`));
  printLine(terminal, plain(`kernelwright spec ${kernel} writes them into a file, to be corrected`));
}
