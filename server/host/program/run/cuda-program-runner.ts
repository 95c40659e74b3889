import { statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { ProgramRequest, ProgramResult, ProgramRunner } from "../../../core/ports/program-runner";
import { makePrivateFolder } from "../../process/private-folder";
import { buildProgram } from "../build/build-program";
import { buildWords, isSource } from "../build/build-sources";
import { ProgramCache, programName } from "../build/program-cache";
import type { DeviceThreads } from "./device-threads";
import { runOverDevice } from "./run-over-device";
import { gpuLibrary, librariesVersion, libraryHeaders, runtimeLibrary } from "../build/runtime-library";

interface CudaProgramRunnerOptions {
  /** Path or name of the compiler. */
  readonly findNvcc: (signal: AbortSignal) => Promise<string>;
  readonly threads: DeviceThreads;
  /** Folder with the sources of the CUDA runtime. */
  readonly runtimeSources: string;
  /** Folder of the product's caches. */
  readonly cache: string;
}

const advice = "Name a CUDA program (.cu, .cpp, .cc, .cxx or .c) that has a main()";

/** Compiles a program with main() against the virtual GPU's runtime and runs it. */
export class CudaProgramRunner implements ProgramRunner {
  constructor(private readonly options: CudaProgramRunnerOptions) {}

  async run(request: ProgramRequest): Promise<ProgramResult> {
    const found = statSync(resolve(request.folder, request.file), { throwIfNoEntry: false });
    if (found?.isDirectory() === true || (found && !isSource(request.file)))
      throw new OperationalError("usage", {
        forUser: `${request.file}: ${found.isDirectory() ? "this is a folder" : "not a CUDA program by its name"}. ${advice}`,
      });
    if (!found)
      throw new OperationalError("file-not-found", {
        forUser: `${request.file}: there is no such file. ${advice}`,
      });
    const folder = await makePrivateFolder(join(tmpdir(), "kernelwright-run-"));
    const output = folder.path;
    try {
      const { findNvcc, runtimeSources, cache, threads } = this.options;
      const nvcc = await findNvcc(request.signal);
      const runtime = { nvcc, sources: runtimeSources, cache, signal: request.signal };
      const library = await runtimeLibrary(runtime);
      const identity = { nvcc, library, libraries: await librariesVersion(runtime), ...request };
      const programs = new ProgramCache(cache);
      if (!(await programs.take(identity, output))) {
        const began = Date.now();
        const built = await buildProgram({
          ...identity,
          output,
          headers: libraryHeaders(runtimeSources),
          libraryOf: (room) => gpuLibrary(runtime, room),
        });
        if (!built.ok) return { kind: "did-not-compile", text: built.problem };
        // Before the program says anything, as if the user had compiled it.
        if (built.value.warnings !== "") writeSync(request.descriptors[2], built.value.warnings);
        await programs.keep(identity, output, began);
      }
      return await runOverDevice(
        threads,
        {
          command: join(output, programName),
          arguments: request.arguments,
          environment: compilingWhileRunning(request, {
            nvcc,
            headers: libraryHeaders(runtimeSources),
            output,
          }),
        },
        request,
      );
    } finally {
      await folder.remove();
    }
  }
}

/**
 * For programs that compile device code while they run, or load what a build of them would have made. Lists
 * have a line for each word. `output`: the folder for what they make.
 */
function compilingWhileRunning(
  { file, folder, compileOptions }: ProgramRequest,
  { nvcc, headers, output }: { readonly nvcc: string; readonly headers: string; readonly output: string },
): Readonly<Record<string, string>> {
  const { sources, options } = buildWords(file, compileOptions);
  const folders = sources.map((source) => dirname(resolve(folder, source)));
  const words = options.filter((word, at) => /^-[ID]/.test(word) || /^-[ID]$/.test(options[at - 1] ?? ""));
  return {
    KERNELWRIGHT_NVCC: nvcc,
    KERNELWRIGHT_MADE_FILES: output,
    KERNELWRIGHT_SOURCE_FOLDERS: [...new Set(folders)].join("\n"),
    KERNELWRIGHT_DEVICE_OPTIONS: [...words, "-isystem", headers].join("\n"),
  };
}
