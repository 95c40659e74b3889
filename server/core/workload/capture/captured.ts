/** What a program handed to kernels, as it was seen by the GPU that ran it. */

/** A buffer that a launch could reach through its arguments. */
export interface CapturedBuffer {
  /** Whole allocation before the launch. */
  readonly before: Uint8Array;
  /** The same after it; undefined when the launch changed nothing. */
  readonly after: Uint8Array | undefined;
  /** Nothing had written to it since it was allocated. */
  readonly untouched: boolean;
  /** Words in it before the launch that are addresses of the program's allocations. */
  readonly addresses: number;
  /** A launch of the kernel has stored to it, or may have: what was right already shows no change. */
  readonly stored: boolean;
}

/** An address among the arguments; offsets in bytes. */
export interface CapturedPointer {
  /** Where it stands in the parameter block. */
  readonly at: number;
  /** Index of the buffer. */
  readonly buffer: number;
  /** Distance from the buffer's start. */
  readonly offset: number;
}

/** A variable of the module (`__constant__`, `__device__`) that the kernel names. */
export interface CapturedVariable {
  readonly name: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  /** A launch of the kernel was seen to store to it. */
  readonly stored: boolean;
}

interface CapturedParameter {
  readonly offset: number;
  readonly size: number;
}

/** One launch, or several that were equal but for the contents of their buffers: then the first of them. */
export interface CapturedLaunch {
  /** The kernel's symbol. */
  readonly kernel: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly dynamicSharedBytes: number;
  /** The parameter block. */
  readonly parameters: Uint8Array;
  readonly layout: readonly CapturedParameter[];
  readonly pointers: readonly CapturedPointer[];
  readonly buffers: readonly CapturedBuffer[];
  readonly variables: readonly CapturedVariable[];
  /** How often the program made it. */
  readonly count: number;
  /** Where the host code made it first: a place as the user would write it, or empty. */
  readonly where: string;
  /** Compiled by Triton. */
  readonly triton: boolean;
  /** What it executed, of warps; 0 for a launch that has not ended. */
  readonly warpInstructions: number;
}

/** How much of a program's launches is kept. */
export interface CaptureLimits {
  /** Different launches of each kernel. */
  readonly launches: number;
  /** Bytes of all buffers together. */
  readonly bytes: number;
  /**
   * How long launches may run that show nothing new, all together; after that such launches are skipped. Left
   * out: all run.
   */
  readonly repeatMilliseconds?: number;
}

/** Launches of a program, and what the limits left out. */
export interface Capture {
  readonly launches: readonly CapturedLaunch[];
  /** Different launches of each kernel that are counted but not kept, by the kernel's symbol. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Launches that were skipped as they would have shown nothing new. */
  readonly skipped: number;
  /** Of each kernel that something was left out of, the first such launch, without contents. */
  readonly unrecorded?: readonly CapturedLaunch[];
}
