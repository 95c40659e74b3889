import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import type { ProgramResult, ProgramRunner } from "../../../core/ports/program-runner";
import { type BuildSettings, nvccWords } from "../../../core/workload/build-settings";
import type { CaptureLimits } from "../../../core/workload/capture/captured";
import type { CaptureRequest } from "../services";
import { usualArguments } from "../workload/usual-arguments";
import { type Descriptors, withKeptOutput } from "./kept-output";
import { inScratchFolder } from "./scratch-folder";

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

interface Recording {
  readonly build: BuildSettings;
  readonly limits: CaptureLimits;
}

/**
 * Runs a program once and records its launches. One that somebody asked for, without arguments, and that
 * launched nothing is run again with those that the makefile or the script beside it hands it. `notes`: says
 * so. Throws `tool-failed` when it does not compile.
 */
export async function runAsRecorded(
  means: RunMeans & { readonly files: FileReader },
  request: CaptureRequest,
  how: Recording,
): Promise<{
  readonly ran: ProgramRun;
  readonly request: CaptureRequest;
  readonly notes: readonly string[];
}> {
  const ran = await runRecorded(means, request, how);
  const usual = launchedNothing(ran, request) ? await usualArguments(means.files, request.file) : undefined;
  if (usual === undefined) return { ran, request, notes: [] };
  const again = { ...request, arguments: usual.words };
  const note = `${request.file} launched nothing without arguments: it was run again as ${usual.where} does, with ${usual.words.join(" ")}`;
  return { ran: await runRecorded(means, again, how), request: again, notes: [note] };
}

/** Whether a program that somebody asked for may be in want of arguments; finders ask for them themselves. */
function launchedNothing({ result }: ProgramRun, { arguments: given, ...request }: CaptureRequest): boolean {
  const isAsked = request.descriptors !== undefined && given.length === 0 && !request.signal.aborted;
  return isAsked && result.launches === 0 && !result.isCut && !request.file.includes(".py");
}

async function runRecorded(
  { workspaceFolder, programs, environment }: RunMeans,
  request: CaptureRequest,
  { build, limits }: Recording,
): Promise<ProgramRun> {
  const run = (descriptors: Descriptors, startFolder = workspaceFolder): Promise<ProgramResult> =>
    programs.run({
      file: request.file,
      arguments: request.arguments,
      folder: workspaceFolder,
      startFolder,
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
      ? await unasked({ workspaceFolder, request }, run)
      : { value: await run(request.descriptors), output: "" };
  if (result.kind === "ran") return { build, result, output };
  throw new OperationalError("tool-failed", {
    forUser: `${request.file} does not compile, so nothing was recorded:\n${result.text.trimEnd()}`,
  });
}

type KeptRun = Awaited<ReturnType<typeof withKeptOutput<ProgramResult>>>;

/**
 * Nobody asked for this run: what the program writes beside itself is to stay out of the user's folder. Where
 * it comes to nothing elsewhere, for want of files above that folder, it is run where it is.
 */
async function unasked(
  { workspaceFolder, request }: Pick<RunMeans, "workspaceFolder"> & { readonly request: CaptureRequest },
  run: (descriptors: Descriptors, startFolder?: string) => Promise<ProgramResult>,
): Promise<KeptRun> {
  const elsewhere = request.file.includes(".py")
    ? undefined
    : await inScratchFolder(workspaceFolder, (scratch) =>
        withKeptOutput((descriptors) => run(descriptors, scratch)),
      );
  if (elsewhere === undefined || showsNothing(elsewhere.value))
    return withKeptOutput((descriptors) => run(descriptors));
  return elsewhere;
}

function showsNothing(result: ProgramResult): boolean {
  return result.kind === "ran" && !result.isCut && result.launches === 0;
}
