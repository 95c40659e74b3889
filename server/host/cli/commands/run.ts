import { resolve } from "node:path";
import { oneLine } from "../../../core/base/text";
import { defaultGpu } from "../../../core/timing/gpu-model";
import { summarizeProfile } from "../../../core/words/profile";
import type { ProgramResult, ProgramTrouble } from "../../../core/ports/program-runner";
import type { CommandContext } from "../command-context";
import { writeCpuProfile } from "../write-cpu-profile";
import { exitCodes } from "../exit-codes";
import { requireModelled } from "../modelled";
import { profileReport } from "../profile-report";
import { plain, printLine, reportLine, reportWidth, type Terminal } from "../terminal";

export interface RunOptions {
  readonly arch: string;
  readonly sanitize: boolean;
  readonly profile: boolean;
  /** Every counter of each line, not only the most telling ones. */
  readonly details: boolean;
  /** Where the modelled times are written for other tools. */
  readonly cpuprofile?: string;
  readonly json: boolean;
  readonly launchBudget: number;
  readonly repeatLimit?: number;
  readonly reportSeconds?: number;
  readonly compileOption: readonly string[];
  readonly nvcc?: string;
  readonly python?: string;
}

type Ran = Extract<ProgramResult, { kind: "ran" }>;

/**
 * `run`: a whole program with its kernels on the virtual GPU. Its output and exit code are its own; ours
 * stands behind its end.
 */
export async function runCommand(
  context: CommandContext,
  file: string,
  args: readonly string[],
  given: RunOptions,
): Promise<number> {
  const { terminal, signal } = context;
  const options = { ...given, profile: given.profile || given.cpuprofile !== undefined };
  requireModelled(options.arch);
  const result = await context.openPrograms(options).run({
    file,
    arguments: args,
    folder: terminal.currentFolder,
    architecture: options.arch,
    sanitize: options.sanitize,
    profile: options.profile,
    launchBudget: options.launchBudget,
    ...(options.repeatLimit === undefined ? {} : { repeatLimit: options.repeatLimit }),
    ...(options.reportSeconds === undefined ? {} : { reportSeconds: options.reportSeconds }),
    say: (line) => reportLine(terminal, plain(line)),
    compileOptions: options.compileOption,
    environment: terminal.environment,
    descriptors: terminal.descriptors,
    signal,
  });
  if (result.kind === "did-not-compile") {
    const text = plain(result.text.replace(/\r/g, "").trimEnd());
    reportLine(terminal, text);
    if (options.json) printLine(terminal, JSON.stringify({ outcome: "did-not-compile", diagnostics: text }));
    return exitCodes.failed;
  }
  if (options.cpuprofile !== undefined)
    await writeCpuProfile(resolve(terminal.currentFolder, options.cpuprofile), result, {
      folder: terminal.currentFolder,
      gpu: defaultGpu(options.arch),
    });
  const voice = afterProgram(terminal);
  const exitCode = reportEnd(options.json ? { ...voice, print: () => undefined } : voice, result, {
    ...options,
    width: reportWidth(terminal),
  });
  if (options.json) voice.object(jsonReport(result, exitCode, options));
  return exitCode;
}

/** The one object of `--json`; documented in docs/programs.md. */
function jsonReport(result: Ran, exitCode: number, { arch, profile }: RunOptions): object {
  const { code, signal, launches, findings, problems, timed, kernels } = result;
  return {
    outcome: "ran",
    exitCode,
    program: { code, signal: signal ?? null },
    launches,
    timed,
    findings,
    problems,
    profiles: profile ? kernels.map((kernel) => summarizeProfile(kernel, defaultGpu(arch))) : null,
  };
}

/** Tells what is known after the program's end, and gives the exit code. */
function reportEnd(say: Voice, result: Ran, options: RunOptions & { readonly width: number }): number {
  const { sanitize, profile } = options;
  if (result.signal !== undefined && result.signal !== "SIGPIPE")
    say.report(`the program was ended by ${result.signal}${signalHints[result.signal] ?? ""}`);
  for (const problem of result.problems) say.report(troubleLine(problem));
  if (result.timed)
    say.report(
      profile
        ? "event times are modelled"
        : "event times are the virtual GPU's own, not a GPU's (--profile models them)",
    );
  if (profile) sayProfile(say, result, options);
  const code = codeOf(result, say);
  if (!sanitize) return code;
  for (const finding of result.findings) say.print(troubleLine(finding));
  say.report(
    `sanitizer: ${counted(result.findings.length, "finding")} in ${counted(result.launches, "launch", "es")}`,
  );
  return result.findings.length > 0 ? exitCodes.negative : code;
}

/** Says lines on standard output and standard errors. */
interface Voice {
  print(line: string): void;
  report(line: string): void;
  /** The last line of standard output. */
  object(value: object): void;
}

/**
 * The program's last line may have no end: on standard output, and on errors that stand on the same screen,
 * what is ours comes after an empty line.
 */
function afterProgram(terminal: Terminal): Voice {
  const [output, errors] = [
    firstTime(() => printLine(terminal)),
    firstTime(() => (terminal.errorsShown === true ? reportLine(terminal, "") : undefined)),
  ];
  return {
    print: (line) => {
      output();
      printLine(terminal, plain(line));
    },
    report: (line) => {
      errors();
      reportLine(terminal, plain(line));
    },
    object: (value) => {
      output();
      printLine(terminal, JSON.stringify(value));
    },
  };
}

function firstTime(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** What may be behind a signal. */
const signalHints: Readonly<Record<string, string>> = {
  SIGSEGV:
    " (its host code used an address that is not the host's: device memory, or a null pointer as a file gives that could not be opened)",
};

/**
 * The program's own, but no success when a kernel did not run, and neither success nor failure when launches
 * were skipped at the user's limit: whatever the program says about its results is worth nothing then.
 */
function codeOf({ code, signal, problems }: Ran, say: Voice): number {
  if (problems.some(({ kind }) => kind === "refused")) {
    say.report("a kernel did not run, and its results are missing");
    return code === exitCodes.done ? exitCodes.failed : code;
  }
  if (!problems.some(({ kind }) => kind === "limited")) return code;
  say.report(
    "launches were skipped at the repeat limit: what the program says of its results, passed or failed, does not count",
  );
  return signal === undefined ? exitCodes.failed : code;
}

/** `FILE:LINE: message`, on one line whatever is in the names. */
function troubleLine({ file, line, message }: ProgramTrouble): string {
  return oneLine(`${file === "" ? "" : `${file}:${line}: `}${message}`);
}

function counted(count: number, what: string, plural = "s"): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : plural}`;
}

function sayProfile(
  say: Voice,
  { kernels }: Ran,
  { arch, details, width }: RunOptions & { readonly width: number },
): void {
  for (const line of profileReport(kernels, [defaultGpu(arch)], { width, details })) say.print(line);
  if (kernels.length === 0) say.report("no kernel was launched");
  else
    for (const line of [
      "",
      "counted by the virtual GPU; cost, bound and caches are modelled (docs/model.md), not measured",
    ])
      say.print(line);
}
