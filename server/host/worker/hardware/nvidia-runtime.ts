import type { ToolRun } from "../../../core/hardware/measurement";
import type { GpuState } from "../../../core/hardware/gpu-state";
import { describeWait, usersRemarks } from "../../../core/hardware/gpu-users";
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
  /** Is told while another process has the GPU. */
  readonly onWait?: (said: () => string) => void;
}

export const launcherFile = "kernelwright-launcher.cu";

export function nvidiaRuntime(options: NvidiaRuntimeOptions): GpuRuntime {
  return new NvidiaRuntime(options);
}

/** A GPU with NVIDIA's driver and runtime. */
class NvidiaRuntime implements GpuRuntime {
  readonly protections: readonly string[];
  private same: Promise<GpuState> | undefined;
  private launching: Promise<TimedCode> | undefined;

  constructor(private readonly options: NvidiaRuntimeOptions) {
    this.protections = options.withoutWalls ? [] : requiredWalls;
  }

  state(signal: AbortSignal): Promise<GpuState> {
    const { machine, index } = this.options;
    return machine.numbered(index, signal);
  }

  /** What does not change of the GPU: the driver need not be asked each time. */
  private gpu(signal: AbortSignal): Promise<GpuState> {
    const same = this.same ?? this.state(signal);
    this.same = same;
    same.catch(() => {
      if (this.same === same) this.same = undefined;
    });
    return same;
  }

  async beside(signal: AbortSignal): Promise<readonly string[]> {
    const { uuid } = await this.gpu(signal);
    return usersRemarks(await this.options.machine.users(uuid, signal));
  }

  async compile(source: HostSource, signal: AbortSignal): Promise<TimedCode> {
    const { architecture } = await this.gpu(signal);
    return this.options.host.compile({ ...source, gpu: architecture }, signal);
  }

  launcher(signal: AbortSignal): Promise<TimedCode> {
    const launching = this.launching ?? this.compileLauncher(signal);
    this.launching = launching;
    // What was cancelled, or lacks a compiler, is tried anew.
    const forget = (): void => {
      if (this.launching === launching) this.launching = undefined;
    };
    launching.then(({ kind }) => (kind === "compiled" ? undefined : forget()), forget);
    return launching;
  }

  private async compileLauncher(signal: AbortSignal): Promise<TimedCode> {
    const support = await this.options.programs.timedSupport();
    const files = { ...support.headers, [launcherFile]: support.launcher };
    return this.compile({ files, main: launcherFile, origin: "user" }, signal);
  }

  image({ cubin }: DeviceCode): Uint8Array {
    return cubin;
  }

  async start({ program }: TimedProgram): Promise<TimedProcess> {
    const gpu = await this.gpu(new AbortController().signal);
    return this.options.machine.start({ program, gpu, walls: this.protections });
  }

  python(signal: AbortSignal): Promise<GpuPython> {
    const { machine, gpuPython } = this.options;
    return machine.python(gpuPython, signal);
  }

  async startPython(python: GpuPython): Promise<TimedProcess> {
    const gpu = await this.gpu(new AbortController().signal);
    return this.options.machine.startPython(python, { gpu, walls: this.protections });
  }

  /** The user's own kernel alone is run so: without walls, which the tools could not work in. */
  async tools(recording: Recording, signal: AbortSignal): Promise<readonly ToolRun[]> {
    const { isHere, workerFolder } = this.options;
    if (!isHere) return [{ name: "ncu", text: "not run over ssh" }];
    const { uuid } = await this.gpu(signal);
    const environment = { ...workerEnvironment, CUDA_VISIBLE_DEVICES: uuid };
    const program =
      "python" in recording
        ? [recording.python.program, workerFolder, "timed", ownFolder]
        : recording.program.program;
    return runGpuTools({ program, input: recording.input, environment }, signal);
  }

  async claim(signal: AbortSignal): Promise<{ readonly release: () => Promise<void> }> {
    const { uuid } = await this.gpu(signal);
    return this.options.machine.claim(uuid, signal, (wait) =>
      this.options.onWait?.(() => describeWait(wait)),
    );
  }
}
