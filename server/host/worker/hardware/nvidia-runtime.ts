import type { ToolRun } from "../../../core/hardware/measurement";
import type { GpuState } from "../../../core/hardware/gpu-state";
import { usersRemarks } from "../../../core/hardware/gpu-users";
import type { DeviceCode, EntryPrograms } from "../../../core/ports/entry-programs";
import type { HostCompiler, HostSource } from "../entry/host-compiler";
import { workerEnvironment } from "../transport/spawn-transport";
import { requiredWalls } from "../transport/walls";
import type { GpuMachine } from "./gpu-machine";
import type { GpuRuntime, Recording, TimedCode, TimedProgram } from "./gpu-runtime";
import { ownFolder, runGpuTools } from "./tools/gpu-tools";
import type { GpuPython, GpuPythonChoice } from "./python/gpu-python";
import type { TimedProcess } from "./timed/timed-process";

export interface NvidiaRuntimeOptions {
  readonly index: number;
  readonly machine: GpuMachine;
  /** Compiles on that machine. */
  readonly host: HostCompiler;
  readonly programs: EntryPrograms;
  /** It is this machine, and none behind ssh. */
  readonly isHere: boolean;
  /** Which Python calls Triton kernels. */
  readonly gpuPython: GpuPythonChoice;
  /** Folder of the worker's files on this machine. */
  readonly workerFolder: string;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

export const timedFile = "kernelwright-timed.hpp";
export const launcherFile = "kernelwright-launcher.cu";

export function nvidiaRuntime(options: NvidiaRuntimeOptions): GpuRuntime {
  return new NvidiaRuntime(options);
}

/** A GPU with NVIDIA's driver and runtime. */
class NvidiaRuntime implements GpuRuntime {
  readonly protections: readonly string[];

  constructor(private readonly options: NvidiaRuntimeOptions) {
    this.protections = options.withoutWalls ? [] : requiredWalls;
  }

  state(signal: AbortSignal): Promise<GpuState> {
    const { machine, index } = this.options;
    return machine.numbered(index, signal);
  }

  async beside(signal: AbortSignal): Promise<readonly string[]> {
    const { uuid } = await this.state(signal);
    return usersRemarks(await this.options.machine.users(uuid, signal));
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
    const gpu = await this.state(new AbortController().signal);
    return this.options.machine.start({ program, gpu, walls: this.protections });
  }

  python(signal: AbortSignal): Promise<GpuPython> {
    const { machine, gpuPython } = this.options;
    return machine.python(gpuPython, signal);
  }

  async startPython(python: GpuPython): Promise<TimedProcess> {
    const gpu = await this.state(new AbortController().signal);
    return this.options.machine.startPython(python, { gpu, walls: this.protections });
  }

  /** The user's own kernel alone is run so: without walls, which the tools could not work in. */
  async tools(recording: Recording, signal: AbortSignal): Promise<readonly ToolRun[]> {
    const { isHere, workerFolder } = this.options;
    if (!isHere) return [{ name: "ncu", text: "not run over ssh" }];
    const { uuid } = await this.state(signal);
    const environment = { ...workerEnvironment, CUDA_VISIBLE_DEVICES: uuid };
    const program =
      "python" in recording
        ? [recording.python.program, workerFolder, "timed", ownFolder]
        : recording.program.program;
    return runGpuTools({ program, input: recording.input, environment }, signal);
  }

  async claim(signal: AbortSignal): Promise<{ readonly release: () => Promise<void> }> {
    const { uuid } = await this.state(signal);
    return this.options.machine.claim(uuid, signal);
  }
}
