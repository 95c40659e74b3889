import { OperationalError } from "../../../core/base/operational-error";
import type { ProgramResult, ProgramRunner } from "../../../core/ports/program-runner";
import { type BuildSettings, nvccWords } from "../../../core/workload/build-settings";
import type { CaptureLimits } from "../../../core/workload/capture/captured";
import type { CaptureRequest } from "../services";
import { type Descriptors, withKeptOutput } from "./kept-output";

/** What programs are run with. */
export interface RunMeans {
  readonly workspaceFolder: string;
  readonly programs: ProgramRunner;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program that has run to its end. */
export interface ProgramRun {
  readonly build: BuildSettings;
  readonly result: Extract<ProgramResult, { kind: "ran" }>;
  /** The end of what it wrote, where nobody was given it. */
  readonly output: string;
}

/** Warp-level instructions after which a launch counts as endless. */
export const launchBudget = 10_000_000_000;

/** Runs a program once and records its launches. Throws `tool-failed` when it does not compile. */
export async function runRecorded(
  { workspaceFolder, programs, environment }: RunMeans,
  request: CaptureRequest,
  { build, limits }: { readonly build: BuildSettings; readonly limits: CaptureLimits },
): Promise<ProgramRun> {
  const run = (descriptors: Descriptors): Promise<ProgramResult> =>
    programs.run({
      file: request.file,
      arguments: request.arguments,
      folder: workspaceFolder,
      architecture: request.target.architecture,
      sanitize: false,
      profile: false,
      launchBudget,
      record: limits,
      ...(request.patience === undefined ? {} : { patience: request.patience }),
      compileOptions: [...nvccWords(build, (folder) => folder || "."), ...request.compileOptions],
      environment,
      descriptors,
      signal: request.signal,
      keepsWhenEnded: request.keepsWhenEnded === true,
    });
  const { value: result, output } =
    request.descriptors === undefined
      ? await withKeptOutput(run)
      : { value: await run(request.descriptors), output: "" };
  if (result.kind === "ran") return { build, result, output };
  throw new OperationalError("tool-failed", {
    forUser: `${request.file} does not compile, so nothing was recorded:\n${result.text.trimEnd()}`,
  });
}
