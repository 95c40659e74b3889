import type { ToolRun } from "../../../core/hardware/measurement";
import type { GpuState } from "../../../core/hardware/gpu-state";
import type { DeviceCode } from "../../../core/ports/entry-programs";
import type { HostCode, HostSource } from "../entry/host-compiler";
import type { GpuPython } from "./python/gpu-python";
import type { TimedProcess } from "./timed/timed-process";

/** An executable that times calls. */
export interface TimedProgram {
  readonly program: Uint8Array;
  /** What its launches run, where that does not lie in the executable. */
  readonly code?: DeviceCode;
}

export type TimedCode =
  | ({ readonly kind: "compiled" } & TimedProgram)
  | Exclude<HostCode, { readonly kind: "compiled" }>;

/** What times calls, an executable or a Python, and all that it is handed: one call, or several. */
export type Recording = ({ readonly program: TimedProgram } | { readonly python: GpuPython }) & {
  readonly input: readonly Uint8Array[];
};

/**
 * One GPU and the CUDA runtime that programs reach it by: NVIDIA's. (Tests put our own in its place, which
 * runs them on the virtual GPU.)
 */
export interface GpuRuntime {
  /**
   * What the GPU says of itself now. Throws `tool-missing` where there is none, no driver or no nvidia-smi.
   */
  state(signal: AbortSignal): Promise<GpuState>;
  /** Who else is on the GPU now, as far as its driver shows them, in sentences that belong to its times. */
  beside(signal: AbortSignal): Promise<readonly string[]>;
  /** Compiles host code with its kernels. */
  compile(source: HostSource, signal: AbortSignal): Promise<TimedCode>;
  /** The program that launches kernels alone: none of the candidate's host code is in it. */
  launcher(signal: AbortSignal): Promise<TimedCode>;
  /** What the launcher loads of a compiled kernel. */
  image(code: DeviceCode): Uint8Array;
  /** Starts a program behind walls. */
  start(program: TimedProgram): Promise<TimedProcess>;
  /** The Python that calls Triton kernels there. Throws `tool-missing` where none will do. */
  python(signal: AbortSignal): Promise<GpuPython>;
  /** Starts it behind walls, as `kernelwright_worker/timed` describes. */
  startPython(python: GpuPython): Promise<TimedProcess>;
  /** Runs a program under NVIDIA's tools, with what it is handed. */
  tools(recording: Recording, signal: AbortSignal): Promise<readonly ToolRun[]>;
  /** Names of the walls that every started program is behind. */
  readonly protections: readonly string[];
  /** Waits until nobody else uses the GPU, and keeps it; ends with what is given back. */
  claim(signal: AbortSignal): Promise<{ readonly release: () => Promise<void> }>;
}
