import { OperationalError } from "../../../core/base/operational-error";
import { defaultGpu, knownArchitectures } from "../../../core/kernel/gpu-model";
import type { ProgramResult, ProgramTrouble } from "../../../core/ports/program-runner";
import type { CommandContext } from "../command-context";
import { exitCodes } from "../exit-codes";
import { profileReport } from "../profile-report";
import { plain, printLine, reportLine } from "../terminal";

export interface RunOptions {
  readonly arch: string;
  readonly sanitize: boolean;
  readonly profile: boolean;
  readonly compileOption: readonly string[];
  readonly nvcc?: string;
  readonly python?: string;
}

type Ran = Extract<ProgramResult, { kind: "ran" }>;

/** `run`: a whole program with its kernels on the virtual GPU. Its output and exit code are its own; ours stands behind its end. */
export async function runCommand(context: CommandContext, file: string, args: readonly string[], options: RunOptions): Promise<number> {
  const { terminal, signal } = context;
  if (!knownArchitectures().includes(options.arch.replace(/(?<=\d)[af]$/, ""))) throw new OperationalError("usage", { forUser: `--arch ${options.arch}: no GPU of this architecture is modelled. There are ${knownArchitectures().join(", ")}` });
  const result = await context.openPrograms(options).run({
    file, arguments: args, folder: terminal.currentFolder, architecture: options.arch, sanitize: options.sanitize, profile: options.profile,
    compileOptions: options.compileOption, environment: terminal.environment, descriptors: [0, 1, 2], signal,
  });
  if (result.kind === "did-not-compile") {
    terminal.errors.write(result.text.endsWith("\n") ? result.text : `${result.text}\n`);
    return exitCodes.failed;
  }
  for (const problem of result.problems) reportLine(terminal, plain(troubleLine(problem)));
  if (result.timed) reportLine(terminal, options.profile ? "event times are modelled" : "event times are the virtual GPU's own, not a GPU's (--profile models them)");
  if (options.profile) printProfile(context, result, options.arch);
  const code = codeOf(result, context);
  if (!options.sanitize) return code;
  for (const finding of result.findings) printLine(terminal, plain(troubleLine(finding)));
  reportLine(terminal, `sanitizer: ${counted(result.findings.length, "finding")} in ${counted(result.launches, "launch", "es")}`);
  return result.findings.length > 0 ? exitCodes.negative : code;
}

/** The program's own, but no success when a kernel did not run: whatever the program says about its results is worth nothing then. */
function codeOf({ code, problems }: Ran, { terminal }: CommandContext): number {
  if (!problems.some(({ kind }) => kind === "refused")) return code;
  reportLine(terminal, "a kernel did not run, and its results are missing");
  return code === exitCodes.done ? exitCodes.failed : code;
}

/** `FILE:LINE: message`. */
function troubleLine({ file, line, message }: ProgramTrouble): string {
  return `${file === "" ? "" : `${file}:${line}: `}${message}`;
}

function counted(count: number, what: string, plural = "s"): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : plural}`;
}

function printProfile({ terminal }: CommandContext, { kernels }: Ran, architecture: string): void {
  for (const line of profileReport(kernels, [defaultGpu(architecture)])) printLine(terminal, plain(line));
  if (kernels.length === 0) reportLine(terminal, "no kernel was launched");
  else printLine(terminal, "\ncounted by the virtual GPU; cost, bound and caches are modelled (docs/model.md), not measured");
}
