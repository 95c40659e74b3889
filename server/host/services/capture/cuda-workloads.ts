import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import { embeddedSource } from "../../../core/language/cuda-in-python";
import type { Grammars } from "../../../core/language/tree";
import type { FileReader } from "../../../core/ports/files";
import type { BuildSettings } from "../../../core/workload/build-settings";
import type { Capture, CapturedLaunch } from "../../../core/workload/capture/captured";
import { programSources } from "../../../core/workload/spec";
import { specOfCapture } from "../../../core/workload/capture/spec-of-capture";
import type { CapturedProgram, CapturedWorkload, CaptureRequest } from "../services";
import { commonFolder, drawIn, workspaceIncludeFolders } from "../sources/draw-in";
import { sourcesByDistance } from "../workload/near-sources";
import {
  kernelOfSymbol,
  kernelsOfSources,
  parametersOf,
  type ProgramKernel,
  unrecordedOf,
} from "./program-kernels";
import { programFile, type PythonWorkloadOptions } from "./python-workloads";
import { apartFrom, recordedSpec } from "./recorded-spec";

export interface CudaWorkloadOptions extends PythonWorkloadOptions {
  readonly files: FileReader;
  readonly grammars: () => Promise<Grammars>;
}

/** What was recorded of a program. */
interface Recorded {
  readonly build: BuildSettings;
  readonly capture: Capture;
  /** Bytes of all recordings of one program. */
  readonly mostBytes: number;
}

const mostFiles = 400;

/** The launches but those of Triton's kernels, which are recorded by their Python callers. */
export function withoutTriton(capture: Capture): Capture {
  return { ...capture, launches: capture.launches.filter(({ triton }) => !triton) };
}

/** Workloads of the CUDA kernels that a program launched, and why a kernel has none. */
export async function cudaWorkloads(
  options: CudaWorkloadOptions,
  request: CaptureRequest,
  { build, capture, mostBytes }: Recorded,
): Promise<Pick<CapturedProgram, "workloads" | "notes" | "tooLarge">> {
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
        `${formatName(readableName(symbol))}: its buffers are larger than the ${mostBytes / 2 ** 20} MB that are recorded of a program; run it with smaller sizes`,
      );
  return { workloads, notes, ...(tooLarge.length > 0 ? { tooLarge } : {}) };
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
  { identity, recordings }: CudaWorkloadOptions,
  request: CaptureRequest,
  { symbol, launches, kernel }: KernelLaunches,
): Promise<CapturedWorkload | string> {
  // Options hold paths that are relative to where the program was compiled.
  const folder =
    request.compileOptions.length > 0 ? "" : commonFolder(kernel.file, programFile(request.file));
  const inFolder = (path: string): string => (folder === "" ? path : path.slice(folder.length + 1));
  const made = specOfCapture(
    {
      file: inFolder(kernel.file),
      kernel: kernel.facts.name,
      dialect: "cuda",
      parameters: parametersOf(kernel, symbol),
      instance: readableName(symbol).templateArguments,
      program: programFile(request.file).endsWith(".py")
        ? undefined
        : {
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

/** The program's sources and what they include; of a Python program those that it may load. */
async function sourcesOf(
  { files }: CudaWorkloadOptions,
  request: CaptureRequest,
  build: BuildSettings,
): Promise<Readonly<Record<string, string>>> {
  const named: Record<string, string> = {};
  const program = programFile(request.file);
  const sources = program.endsWith(".py")
    ? [embeddedSource(program), ...(await sourcesByDistance(files, program))]
    : programSources(request);
  for (const path of sources) {
    const text = await files.read(path);
    if (text !== undefined) named[path] = text;
  }
  const words = request.compileOptions.flatMap((word) => (/^-I./.test(word) ? [word.slice(2)] : []));
  const places = { root: "", includeFolders: [...workspaceIncludeFolders(build), ...words, ""] };
  return drawIn(files, named, places, (tree) => Object.keys(tree).length <= mostFiles);
}
