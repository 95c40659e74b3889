import type { Outcome } from "../base/outcome";
import type { SourceTree } from "../judge/candidate";
import type { Target } from "../timing/target";
import type { Extents, ProbeContent, ProbeObservation } from "../workload/probe/observation";
import type { BuildSettings } from "../workload/build-settings";
import type { DataType } from "../workload/spec";

/** A kernel that is launched to see what it touches. */
export interface ProbeSource {
  /** The kernel's file and all that it includes. */
  readonly tree: SourceTree;
  readonly file: string;
  readonly build: BuildSettings;
  /** Without namespaces. */
  readonly kernel: string;
  /** Template arguments as a launch in the text writes them; empty without one. */
  readonly instance: readonly string[];
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** A parameter as it was compiled. */
export interface ProbeParameter {
  readonly bytes: number;
  /** `bytes`: a structure. */
  readonly kind: "integer" | "float" | "bytes";
  /** Its C++ type, where the symbol says it. */
  readonly type?: string;
  /** Whether the compiled code reads it at all. */
  readonly isRead: boolean;
}

/** An argument of a probe: a roomy buffer, a number, or a structure of these. */
export type ProbeArgument = PlainProbeArgument | ProbeStructure;

/** A structure by its fields; a pointed one stands many times in the memory of the GPU. */
export interface ProbeStructure {
  readonly kind: "structure";
  readonly byteLength: number;
  readonly fields: readonly ProbeField[];
  readonly isPointed?: boolean;
}

/** What stands at a byte of a structure. */
export interface ProbeField {
  readonly at: number;
  readonly argument: PlainProbeArgument;
}

/** A roomy buffer, or a number. */
export type PlainProbeArgument =
  | {
      readonly kind: "buffer";
      readonly name: string;
      readonly dtype: DataType;
      readonly content: ProbeContent;
    }
  | { readonly kind: "scalar"; readonly value: number; readonly dtype: DataType };

export interface ProbeLaunch {
  readonly grid: Extents;
  readonly block: Extents;
  readonly dynamicSharedBytes: number;
  readonly arguments: readonly ProbeArgument[];
  /** Warp-level instructions after which the probe is given up. */
  readonly instructionBudget: number;
  /** Faults are then also reads of what nothing was written to, races and the like. */
  readonly isWatched?: boolean;
}

/** A compiled kernel that can be probed. */
export interface ProbedKernel {
  readonly parameters: readonly ProbeParameter[];
  /** Static shared memory. */
  readonly sharedBytes: number;
  /** Template arguments of the instance that is probed, as the compiler writes them. */
  readonly instance: readonly string[];
  /** That the instance was chosen among several, as a sentence; absent where there was no choice. */
  readonly instanceRemark?: string;
  /**
   * How many axes of the block its code looks at, and of the grid. Where it looks at none of the grid, all
   * blocks do the same: it is for one.
   */
  readonly axes: 1 | 2 | 3;
  readonly gridAxes: 0 | 1 | 2 | 3;
  readonly usesDynamicShared: boolean;
  /** Variables in constant memory that its code names and that have no values yet. */
  readonly unfilled: readonly { readonly name: string; readonly bytes: number }[];
  readonly maxThreads?: number;
  readonly requiredBlock?: Extents;
  /** The problem: why the launch gave nothing, as a sentence. Throws `cancelled`. */
  run(launch: ProbeLaunch): Promise<Outcome<ProbeObservation, string>>;
}

/** Compiles kernels and launches them on roomy, shadowed buffers. */
export interface Prober {
  /** The problem: why it cannot be compiled or launched, as a sentence. Throws `cancelled`. */
  open(source: ProbeSource): Promise<Outcome<ProbedKernel, string>>;
}

/** A Triton kernel that is launched by itself to see what it touches. */
export interface TritonProbeSource {
  /** The kernel's file and all that it imports. */
  readonly tree: SourceTree;
  readonly file: string;
  readonly kernel: string;
  /** What the compiled kernel takes, in order: pointers by the dtype of their elements, and numbers. */
  readonly parameters: readonly {
    readonly name: string;
    readonly dtype: DataType;
    readonly isPointer: boolean;
  }[];
  /** It is launched past its autotuner, which would choose some of the constants. */
  readonly isTuned: boolean;
  /** Constants of the compiled code, as a launch writes them. */
  readonly constants: Readonly<Record<string, string>>;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Compiles Triton kernels for launches on roomy, shadowed buffers. */
export interface TritonProber {
  /** The problem: why it cannot be compiled or launched, as a sentence. Throws `cancelled`. */
  open(source: TritonProbeSource): Promise<Outcome<ProbedKernel, string>>;
}
