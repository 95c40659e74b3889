import { OperationalError } from "../../../core/base/operational-error";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import type { Grammars } from "../../../core/language/tree";
import type { FileReader } from "../../../core/ports/files";
import type { Patience } from "../../../core/ports/program-runner";
import type { BuildSettings } from "../../../core/workload/build-settings";
import type { Capture, CapturedLaunch, CaptureLimits } from "../../../core/workload/capture/captured";
import { programSources } from "../../../core/workload/spec";
import { specOfCapture } from "../../../core/workload/capture/spec-of-capture";
import type {
  BuildService,
  CapturedProgram,
  CapturedWorkload,
  CaptureRequest,
  CaptureService,
} from "../services";
import { commonFolder, drawIn, workspaceIncludeFolders } from "../sources/draw-in";
import {
  kernelOfSymbol,
  kernelsOfSources,
  parametersOf,
  type ProgramKernel,
  unrecordedOf,
} from "./program-kernels";
import { programFile, pythonWorkloads, type PythonWorkloadOptions } from "./python-workloads";
import { type ProgramRun, runAsRecorded, type RunMeans } from "./run-recorded";
import { apartFrom, recordedSpec } from "./recorded-spec";

interface CaptureServiceOptions extends RunMeans, PythonWorkloadOptions {
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly grammars: () => Promise<Grammars>;
}

/** Different launches of a kernel that become cases, and bytes of all recordings of one program. */
const limits: CaptureLimits = { launches: 6, bytes: 512 * 1024 * 1024 };
const mostFiles = 400;
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
  if (result.calls !== undefined) {
    const made = await pythonWorkloads(options, request, { missed: [], ...result, calls: result.calls });
    return { code, signal, cut, problems, launches: result.launches, ...made, output };
  }
  const capture: Capture = result.capture ?? { launches: [], leftOut: {}, skipped: 0 };
  const kernels = kernelsOfSources(await options.grammars(), await sourcesOf(options, request, build));
  const groups = byKernel(capture.launches);
  const workloads: CapturedWorkload[] = [];
  const notes: string[] = [];
  for (const [symbol, launches] of groups) {
    const shown = formatName(readableName(symbol));
    const kernel = kernelOfSymbol(kernels, symbol);
    if (kernel === undefined)
      notes.push(`${shown}: its source is in no file of this folder, so it has no workload`);
    else {
      const made = await workloadOf(options, request, { symbol, launches, kernel });
      if (typeof made === "string") notes.push(`${shown}: ${made}`);
      else {
        const apart = apartFrom(workloads, made);
        const leftOut = made.leftOut + (capture.leftOut[symbol] ?? 0);
        if (typeof apart === "string")
          notes.push(`${shown}: the workload is that of ${apart}, another instance`);
        else workloads.push({ ...apart, leftOut });
      }
    }
  }
  const tooLarge = (capture.unrecorded ?? []).flatMap((launch) =>
    groups.has(launch.kernel) ? [] : unrecordedOf(launch, kernelOfSymbol(kernels, launch.kernel)),
  );
  for (const symbol of Object.keys(capture.leftOut))
    if (!groups.has(symbol))
      notes.push(
        `${formatName(readableName(symbol))}: its buffers are larger than the ${limits.bytes / 2 ** 20} MB that are recorded of a program; run it with smaller sizes`,
      );
  const large = tooLarge.length > 0 ? { tooLarge } : {};
  return { code, signal, cut, problems, launches: result.launches, workloads, notes, ...large, output };
}

function byKernel(launches: readonly CapturedLaunch[]): ReadonlyMap<string, readonly CapturedLaunch[]> {
  const groups = new Map<string, readonly CapturedLaunch[]>();
  for (const launch of launches) groups.set(launch.kernel, [...(groups.get(launch.kernel) ?? []), launch]);
  return groups;
}

interface KernelLaunches {
  readonly symbol: string;
  readonly launches: readonly CapturedLaunch[];
  readonly kernel: ProgramKernel;
}

async function workloadOf(
  { identity, recordings }: CaptureServiceOptions,
  request: CaptureRequest,
  { symbol, launches, kernel }: KernelLaunches,
): Promise<CapturedWorkload | string> {
  if (launches.some(({ triton }) => triton)) return "Triton's kernels are recorded by their Python callers";
  // Options hold paths that are relative to where the program was compiled.
  const folder = request.compileOptions.length > 0 ? "" : commonFolder(kernel.file, request.file);
  const inFolder = (path: string): string => (folder === "" ? path : path.slice(folder.length + 1));
  const made = specOfCapture(
    {
      file: inFolder(kernel.file),
      kernel: kernel.facts.name,
      dialect: "cuda",
      parameters: parametersOf(kernel, symbol),
      instance: readableName(symbol).templateArguments,
      program: {
        file: inFolder(request.file),
        arguments: request.arguments,
        compileOptions: request.compileOptions,
      },
      launches,
    },
    (bytes) => identity.sha256(bytes),
  );
  if (!made.ok) return made.problem;
  for (const content of made.value.contents) await recordings.keep(content);
  const { spec, leftOut } = made.value;
  return {
    found: recordedSpec(spec, { folder, source: kernel.file, kernel: kernel.facts.name }),
    kernel: formatName(readableName(symbol)),
    file: kernel.file,
    launches: launches.reduce((sum, { count }) => sum + count, 0),
    warpInstructions: Math.max(...launches.map((each) => each.warpInstructions)),
    leftOut,
  };
}

/** The program's sources and what they include. */
async function sourcesOf(
  { files }: CaptureServiceOptions,
  request: CaptureRequest,
  build: BuildSettings,
): Promise<Readonly<Record<string, string>>> {
  const named: Record<string, string> = {};
  for (const path of programSources(request)) {
    const text = await files.read(path);
    if (text !== undefined) named[path] = text;
  }
  const words = request.compileOptions.flatMap((word) => (/^-I./.test(word) ? [word.slice(2)] : []));
  const places = { root: "", includeFolders: [...workspaceIncludeFolders(build), ...words, ""] };
  return drawIn(files, named, places, (tree) => Object.keys(tree).length <= mostFiles);
}
