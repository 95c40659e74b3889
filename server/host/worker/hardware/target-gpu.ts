import { describeUse } from "../../../core/hardware/gpu-users";
import { OperationalError } from "../../../core/base/operational-error";
import { gpuReported, isKnownArchitecture, knownArchitectures } from "../../../core/timing/gpu-model";
import { formatGpu, type Target } from "../../../core/timing/target";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import type { HostCompiler } from "../entry/host-compiler";
import type { KeptErrors } from "./model-errors/kept-errors";
import type { GpuMachine } from "./gpu-machine";
import type { GpuRuntime } from "./gpu-runtime";
import type { GpuPythonChoice } from "./python/gpu-python";
import { nvidiaRuntime, type NvidiaRuntimeOptions } from "./nvidia-runtime";

/**
 * How the GPU of a target is now and who is on it, in one line; empty for a target that is modelled. Throws
 * `tool-missing` where there is no such GPU.
 */
export async function lookAtGpu(target: Target, machine: GpuMachine, signal: AbortSignal): Promise<string> {
  if (target.kind !== "gpu") return "";
  const state = await machine.numbered(target.index, signal);
  return describeUse(state, await machine.users(state.uuid, signal));
}

type GpuTarget = Extract<Target, { readonly kind: "gpu" }>;

export interface GpuOptions {
  /** How GPUs are reached; with NVIDIA's driver and runtime when left out. */
  readonly gpuRuntime?: (options: NvidiaRuntimeOptions) => GpuRuntime;
  /** Which Python calls Triton kernels on GPUs; the worker's or `python3` when left out. */
  readonly gpuPython?: GpuPythonChoice;
  /** Where it is kept how far the model was off on GPUs; nowhere when left out. */
  readonly modelErrors?: KeptErrors;
  /** Is told while another process of Kernelwright has the GPU of a target. */
  readonly onGpuWait?: (said: () => string) => void;
}

/** The GPU of a target, and what compiles for it on its machine (`site`). Starts nothing. */
export function runtimeOf(
  { index, host: machineName }: GpuTarget,
  { host, gpus: machine }: { readonly host: HostCompiler; readonly gpus: GpuMachine },
  options: GpuOptions &
    Pick<NvidiaRuntimeOptions, "workerFolder" | "withoutWalls"> & {
      readonly entryPrograms: EntryPrograms;
    },
): GpuRuntime {
  const { entryPrograms: programs, gpuRuntime = nvidiaRuntime, workerFolder, withoutWalls } = options;
  const { gpuPython = { named: [], usual: [] } } = options;
  const place = { index, machine, isHere: machineName === undefined };
  const wait = options.onGpuWait && { onWait: options.onGpuWait };
  return gpuRuntime({ ...place, host, programs, gpuPython, workerFolder, withoutWalls, ...wait });
}

/**
 * A target with the architecture and the model of its GPU. Throws where there is no such GPU, or one that
 * nobody models.
 */
export async function resolvedTarget(
  target: GpuTarget,
  runtime: GpuRuntime,
  signal: AbortSignal,
): Promise<GpuTarget> {
  const { architecture, name } = await runtime.state(signal);
  const model = gpuReported(name)?.name;
  if (isKnownArchitecture(architecture)) return { ...target, architecture, ...(model && { model }) };
  throw new OperationalError("target-unknown", {
    forUser: `${formatGpu(target)} is of the architecture ${architecture}, which the virtual GPU does not model; it checks every kernel first. It models ${knownArchitectures().join(", ")}`,
  });
}
