import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { defaultGpu } from "../../core/kernel/gpu-model";
import type { ProgramRequest, ProgramResult, ProgramRunner } from "../../core/ports/program-runner";
import { runUserProgram } from "../process/start-program";
import { buildProgram } from "./build-program";
import { CodePlaces } from "./code-places";
import { type RunningDevice, startDevice } from "./device-host";
import { kernelOf, troubleOf, wheresOf } from "./program-result";
import { runtimeLibrary } from "./runtime-library";

export interface CudaProgramRunnerOptions {
  readonly nvcc: string;
  /** The bundled device-thread.ts. */
  readonly threadFile: string;
  /** Folder with the sources of the CUDA runtime. */
  readonly runtimeSources: string;
  /** Folder of the product's caches. */
  readonly cache: string;
}

/** Compiles a .cu file with main() against the virtual GPU's runtime and runs it. */
export class CudaProgramRunner implements ProgramRunner {
  constructor(private readonly options: CudaProgramRunnerOptions) {}

  async run(request: ProgramRequest): Promise<ProgramResult> {
    if (!existsSync(resolve(request.folder, request.file))) throw new OperationalError("file-not-found", { forUser: `${request.file}: there is no such file. Name a CUDA program (.cu) that has a main()` });
    const output = await mkdtemp(join(tmpdir(), "kernelwright-run-"));
    try {
      const { nvcc, runtimeSources, cache } = this.options;
      const library = await runtimeLibrary({ nvcc, sources: runtimeSources, cache, signal: request.signal });
      const built = await buildProgram({ nvcc, library, ...request, output });
      if (!built.ok) return { kind: "did-not-compile", text: built.problem };
      return await this.runBuilt(built.value, request);
    } finally {
      await rm(output, { recursive: true, force: true });
    }
  }

  private async runBuilt(executable: string, request: ProgramRequest): Promise<ProgramResult> {
    const { architecture, sanitize, profile } = request;
    const device = await startDevice(this.options.threadFile, { architecture, sanitize, profile });
    try {
      const code = await runOn(device, executable, request);
      if (request.signal.aborted) throw new OperationalError("cancelled", { forUser: `${request.file} was ended` });
      const report = await device.report();
      const places = new CodePlaces(request.file, request.folder);
      await places.learn(executable, wheresOf(report), request.signal);
      const gpu = defaultGpu(architecture);
      return {
        kind: "ran", code, launches: report.launches, timed: report.timed,
        findings: report.findings.map((each) => troubleOf(each, places)), problems: report.problems.map((each) => troubleOf(each, places)),
        kernels: report.kernels.map((each) => kernelOf(each, places, gpu)),
      };
    } finally {
      await device.close();
    }
  }
}

/** Runs the program to its end; when the device crashes under it, the program is ended and the crash is thrown. */
async function runOn(device: RunningDevice, executable: string, request: ProgramRequest): Promise<number> {
  const crash = new AbortController();
  let problem: OperationalError | undefined;
  void device.crashed.then((thrown) => {
    problem = thrown;
    crash.abort();
  });
  const code = await runUserProgram({
    command: executable, arguments: request.arguments, folder: request.folder, descriptors: request.descriptors,
    environment: { ...request.environment, ...device.environment }, signal: AbortSignal.any([request.signal, crash.signal]),
  });
  if (problem !== undefined) throw problem;
  return code;
}
