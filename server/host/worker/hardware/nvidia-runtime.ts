import { chmod, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GpuState } from "../../../core/hardware/gpu-state";
import type { DeviceCode, EntryPrograms } from "../../../core/ports/entry-programs";
import { makePrivateFolder } from "../../process/private-folder";
import { startProcess } from "../../process/start-process";
import type { HostCompiler, HostSource } from "../entry/host-compiler";
import { requiredWalls } from "../transport/walls";
import { claimGpu } from "./gpu-lock";
import type { GpuRuntime, TimedCode, TimedProgram } from "./gpu-runtime";
import { devicesOf, gpuNumbered } from "./nvidia-smi";
import { TimedProcess } from "./timed-process";

export interface NvidiaRuntimeOptions {
  readonly index: number;
  readonly host: HostCompiler;
  readonly programs: EntryPrograms;
  /** The interpreter and the worker's folder: they close the walls. */
  readonly python: string;
  readonly workerFolder: string;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** Of processor time, for all calls of a candidate. */
const processorSeconds = 3600;
export const timedFile = "kernelwright-timed.hpp";
export const launcherFile = "kernelwright-launcher.cu";

export function nvidiaRuntime(options: NvidiaRuntimeOptions): GpuRuntime {
  return new NvidiaRuntime(options);
}

/** A GPU of this machine, with NVIDIA's driver and runtime. */
class NvidiaRuntime implements GpuRuntime {
  readonly protections: readonly string[];

  constructor(private readonly options: NvidiaRuntimeOptions) {
    this.protections = options.withoutWalls ? [] : requiredWalls;
  }

  state(signal: AbortSignal): Promise<GpuState> {
    return gpuNumbered("nvidia-smi", this.options.index, signal);
  }

  async compile(source: HostSource, signal: AbortSignal): Promise<TimedCode> {
    const { architecture } = await this.state(signal);
    return this.options.host.compile({ ...source, gpu: architecture }, signal);
  }

  async launcher(signal: AbortSignal): Promise<TimedCode> {
    const { timed, launcher } = await this.options.programs.timedSupport();
    const files = { [timedFile]: timed, [launcherFile]: launcher };
    return this.compile({ files, main: launcherFile, origin: "user" }, signal);
  }

  image({ cubin }: DeviceCode): Uint8Array {
    return cubin;
  }

  async start({ program }: TimedProgram): Promise<TimedProcess> {
    const { python, workerFolder } = this.options;
    const gpu = await this.state(new AbortController().signal);
    const [writable, shown] = await Promise.all([
      makePrivateFolder(join(tmpdir(), "kernelwright-entry-")),
      makePrivateFolder(join(tmpdir(), "kernelwright-program-")),
    ]);
    const executable = join(shown.path, "program");
    await writeFile(executable, program);
    // Behind the walls it runs as a user that owns nothing.
    await chmod(shown.path, 0o755);
    await chmod(executable, 0o755);
    const devices = (await devicesOf(gpu)).join();
    const wall = [writable.path, shown.path, this.protections.join(), String(processorSeconds), devices];
    const process = await startProcess({
      command: python,
      arguments: ["-I", "-S", workerFolder, "program", ...wall, "--", executable],
      environment: { CUDA_VISIBLE_DEVICES: gpu.uuid },
    });
    return new TimedProcess(process, {
      close: async () => {
        await writable.remove();
        await shown.remove();
      },
    });
  }

  async claim(signal: AbortSignal): Promise<{ readonly release: () => Promise<void> }> {
    return claimGpu((await this.state(signal)).uuid, signal);
  }
}
