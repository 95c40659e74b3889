import { statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { ProgramRequest, ProgramResult, ProgramRunner } from "../../../core/ports/program-runner";
import { makePrivateFolder } from "../../process/private-folder";
import { buildProgram } from "../build/build-program";
import { isSource } from "../build/build-sources";
import { ProgramCache, programName } from "../build/program-cache";
import { runOverDevice } from "./run-over-device";
import { gpuLibrary, librariesVersion, libraryHeaders, runtimeLibrary } from "../build/runtime-library";

export interface CudaProgramRunnerOptions {
  /** Path or name of the compiler. */
  readonly findNvcc: (signal: AbortSignal) => Promise<string>;
  /** The bundled device-thread.ts. */
  readonly threadFile: string;
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
      const { findNvcc, runtimeSources, cache, threadFile } = this.options;
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
        threadFile,
        {
          command: join(output, programName),
          arguments: request.arguments,
          // For programs that compile device code while they run.
          environment: { KERNELWRIGHT_NVCC: nvcc },
        },
        request,
      );
    } finally {
      await folder.remove();
    }
  }
}
