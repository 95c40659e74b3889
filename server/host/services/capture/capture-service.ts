import { OperationalError } from "../../../core/base/operational-error";
import type { Patience } from "../../../core/ports/program-runner";
import type { CaptureLimits } from "../../../core/workload/capture/captured";
import type { BuildService, CapturedProgram, CaptureRequest, CaptureService } from "../services";
import { type CudaWorkloadOptions, cudaWorkloads, withoutTriton } from "./cuda-workloads";
import { programFile, pythonWorkloads } from "./python-workloads";
import { type ProgramRun, runAsRecorded, type RunMeans } from "./run-recorded";

interface CaptureServiceOptions extends RunMeans, CudaWorkloadOptions {
  readonly builds: BuildService;
}

/** Different launches of a kernel that become cases, and bytes of all recordings of one program. */
const limits: CaptureLimits = { launches: 6, bytes: 512 * 1024 * 1024 };
/** Of a program that nobody waits for to the end, launches that show nothing new run for this share of it. */
const shareOfRepeats = 0.2;

/** Runs programs of the workspace once and makes workloads of what they launch. */
export function createCaptureService(options: CaptureServiceOptions): CaptureService {
  return {
    capture: async (request) => {
      const text = await options.files.read(programFile(request.file));
      if (text === undefined)
        throw new OperationalError("file-not-found", {
          forUser: `${request.file}: there is no such file. Name a program of this folder: a source with main(), or a Python script or test`,
        });
      const build = await options.builds.settingsFor(programFile(request.file));
      const run = await runAsRecorded(options, request, { build, limits: limitsOf(request) });
      const captured = await workloadsOf(options, run.request, run.ran);
      return { ...captured, notes: [...run.notes, ...captured.notes] };
    },
  };
}

function limitsOf({ patience }: CaptureRequest): CaptureLimits {
  return patience === undefined
    ? limits
    : { ...limits, repeatMilliseconds: 1000 * patience.seconds * shareOfRepeats };
}

/** A program that was not run whole may leave other results than by itself. */
function cutOf(
  { isCut, capture }: ProgramRun["result"],
  { patience, signal }: CaptureRequest,
): string | undefined {
  const seconds = patience?.seconds ?? 0;
  if (isCut && signal.aborted) return "it was ended, and only its launches until then count";
  if (isCut) return `it did not end within ${secondsText(patience)}, and only its launches until then count`;
  const skipped = capture?.skipped ?? 0;
  if (skipped === 0) return undefined;
  return `${skipped.toLocaleString("en-US")} of its launches, which repeat others, were skipped after ${seconds * shareOfRepeats} s of them`;
}

function secondsText(patience: Patience | undefined): string {
  return `${patience?.seconds ?? 0} s${patience?.of === "work" ? " of work" : ""}`;
}

async function workloadsOf(
  options: CaptureServiceOptions,
  request: CaptureRequest,
  { build, result, output }: ProgramRun,
): Promise<CapturedProgram> {
  const { code, signal, problems } = result;
  const cut = cutOf(result, request);
  const ended = { code, signal, cut, problems, launches: result.launches, output };
  const capture = withoutTriton(result.capture ?? { launches: [], leftOut: {}, skipped: 0 });
  if (result.calls === undefined)
    return {
      ...ended,
      ...(await cudaWorkloads(options, request, { build, capture, mostBytes: limits.bytes })),
    };
  const made = await pythonWorkloads(options, request, { missed: [], ...result, calls: result.calls });
  if (capture.launches.length === 0) return { ...ended, ...made };
  const ofExtensions = await cudaWorkloads(options, request, { build, capture, mostBytes: limits.bytes });
  const workloads = [...made.workloads, ...ofExtensions.workloads];
  return { ...ended, ...ofExtensions, workloads, notes: [...made.notes, ...ofExtensions.notes] };
}
