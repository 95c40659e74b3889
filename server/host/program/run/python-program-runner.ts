import { at } from "../../../core/base/known";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { ProgramRequest, ProgramResult, ProgramRunner } from "../../../core/ports/program-runner";
import { makePrivateFolder } from "../../process/private-folder";
import { readMissedLaunches, readRecordedCalls } from "./recorded-calls";
import type { DeviceThreads } from "./device-threads";
import { type DeviceProgram, runOverDevice } from "./run-over-device";

const usualReportSeconds = 60;

interface PythonProgramRunnerOptions {
  readonly python: string;
  /** Folder with the worker's `__main__.py`. */
  readonly workerFolder: string;
  readonly threads: DeviceThreads;
  /** Folder with the sources of torch's cuda device (server/torch). */
  readonly torchSources: string;
  /** Folder with the sources of the CUDA runtime (server/runtime). */
  readonly runtimeSources: string;
  /** Folder of the product's caches. */
  readonly cache: string;
  /** What to say when there is no torch or no Triton. */
  readonly withoutTriton: string;
}

/**
 * Runs a Python program whose Triton launches go to the virtual GPU; see
 * server/worker/kernelwright_worker/script.
 */
export class PythonProgramRunner implements ProgramRunner {
  constructor(private readonly options: PythonProgramRunnerOptions) {}

  async run(request: ProgramRequest): Promise<ProgramResult> {
    const { python, workerFolder } = this.options;
    const file = request.file.replace(/::.*/, "");
    if (!existsSync(resolve(request.folder, file)))
      throw new OperationalError("file-not-found", {
        forUser: `${request.file.replace(/::$/, "")}: there is no such file. Name a Python program (.py) that launches Triton kernels`,
      });
    if (request.compileOptions.length > 0)
      throw new OperationalError("usage", {
        forUser: `--compile-option ${at(request.compileOptions, 0)}: options for nvcc have no meaning for a Python program`,
      });
    const program = {
      command: python,
      arguments: [workerFolder, "script", request.file, ...request.arguments],
      environment: {
        KERNELWRIGHT_WITHOUT_TRITON: this.options.withoutTriton,
        KERNELWRIGHT_TORCH_SOURCES: this.options.torchSources,
        KERNELWRIGHT_RUNTIME_SOURCES: this.options.runtimeSources,
        KERNELWRIGHT_CACHE: this.options.cache,
        KERNELWRIGHT_REPORT_SECONDS: String(request.reportSeconds ?? usualReportSeconds),
      },
    };
    const preparing = await makePrivateFolder(join(tmpdir(), "kernelwright-preparing-"));
    const recording = await makePrivateFolder(join(tmpdir(), "kernelwright-recording-"));
    const isPreparing = (): boolean => readdirSync(preparing.path).length > 0;
    const environment = { ...program.environment, KERNELWRIGHT_PREPARING: preparing.path };
    try {
      if (request.record === undefined)
        return await this.runThere({ ...program, environment, isPreparing }, request);
      const recorded = { ...environment, KERNELWRIGHT_RECORDING: recording.path };
      const result = await this.runThere({ ...program, environment: recorded, isPreparing }, request);
      const calls = await readRecordedCalls(recording.path);
      return { ...result, calls, missed: await readMissedLaunches(recording.path) };
    } finally {
      await Promise.all([preparing.remove(), recording.remove()]);
    }
  }

  private async runThere(program: DeviceProgram, request: ProgramRequest): ReturnType<typeof runOverDevice> {
    const result = await runOverDevice(this.options.threads, program, request);
    // Every fault and every refusal has been raised in the program already, as an exception that names the
    // line.
    return { ...result, problems: result.problems.filter(({ kind }) => kind === "limited") };
  }
}
