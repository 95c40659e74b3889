import type { Arithmetic } from "../../../core/base/arithmetic";
import type { KernelCounters } from "../../../core/timing/counters";
import type { Executed } from "../../../core/timing/execution/executed";
import type { LaunchSample } from "../../../core/timing/execution/launch-model";
import type { Sharing } from "../../../core/timing/sample/representative";
import type { LaunchAccesses } from "../../../core/vgpu/index";
import type { Finding } from "../../../core/judge/verdict";
import type { LaunchClass } from "../../../core/proof/launch-class";
import type { HeapUse } from "../../../core/ports/entry-programs";
import type { LookedAt } from "../../../core/proof/report";

export { modelsOf, totalsOf } from "./simulated";

/** A place in a structure's bytes that gets the address of a place in a buffer; offsets in bytes. */
export interface JobPointer {
  readonly at: number;
  readonly buffer: number;
  readonly offset: number;
}

/**
 * One argument of a launch: a place in a buffer, or the bytes of a scalar or a structure (little endian),
 * which may hold addresses.
 */
export type JobArgument =
  | { readonly kind: "pointer"; readonly buffer: number; readonly offset: number }
  | { readonly kind: "scalar"; readonly bytes: Uint8Array; readonly pointers?: readonly JobPointer[] };

export interface JobBuffer {
  /** For messages: the spec's name of the input or output. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A kernel that stores there ends in a fault that names the line. */
  readonly readOnly: boolean;
  /** The bytes are a pattern that nobody stored: a kernel that reads them before it writes is told so. */
  readonly unwritten?: boolean;
  /** It is no allocation but the module's variable of this name, which has exactly these bytes. */
  readonly symbol?: boolean;
  /** The buffer has so many bytes, which repeat `bytes`; as many as these when left out. */
  readonly room?: number;
  /** Where in its bytes addresses of buffers stand that come before it. */
  readonly pointers?: readonly JobPointer[];
}

/** One launch on the virtual GPU: plain data that can be sent to another thread. */
export interface LaunchJob {
  readonly ptx: string;
  readonly entry: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly dynamicSharedBytes: number;
  readonly arguments: readonly JobArgument[];
  readonly buffers: readonly JobBuffer[];
  readonly counters: boolean;
  /** With counters: tell what each instruction did, for a simulation of the launch. */
  readonly executed?: boolean;
  /** With counters: of a long launch some blocks alone run, and the buffers are of no use afterwards. */
  readonly sampled?: boolean;
  /** The kernel is Triton's. */
  readonly triton?: boolean;
  /** Whether races, reads of unwritten bytes and the like are looked for; too large launches go without. */
  readonly detectors: boolean;
  /** As a GPU computes when left out. */
  readonly arithmetic?: Arithmetic;
  /** The order in which blocks start, by their numbers; `ascending` when left out. */
  readonly order?: "ascending" | "descending";
  /** Contents of the buffers for a launch that goes before in the same memory. */
  readonly earlier?: readonly Uint8Array[];
  /** Tell what holds of the kernel for all launches of this class. */
  readonly proof?: LaunchClass;
  /** Tell what is touched, of a launch that runs like any other. */
  readonly touched?: boolean;
  /** A byte of a buffer whose last writer is asked for. */
  readonly watched?: { readonly buffer: number; readonly byte: number };
  /**
   * Record what is touched. Bad accesses are then dropped and reported, the launch ends after so many warp-
   * level instructions, and no content comes back.
   */
  readonly probe?: { readonly instructionBudget: number };
}

/** A thread that stored to a place. */
export interface LastWriter {
  /** Empty when it is not known. */
  readonly file: string;
  /** One-based; 0 when it is not known. */
  readonly line: number;
  readonly block: readonly [number, number, number];
  readonly thread: readonly [number, number, number];
}

export type LaunchResult =
  /**
   * `buffers`: content afterwards, in the job's order; the job's own bytes where it is the same. `remarks`:
   * what could not be looked at, in sentences; there when there is something.
   */
  | {
      readonly kind: "done";
      readonly buffers: readonly Uint8Array[];
      readonly counters: KernelCounters | undefined;
      readonly findings: readonly Finding[];
      readonly remarks?: readonly string[];
      readonly executed?: Executed;
      /** Of a launch of which a sample was counted: which, and what its blocks load in common. */
      readonly sample?: LaunchSample;
      readonly sharing?: Sharing;
      readonly accesses?: LaunchAccesses;
      readonly warpInstructions?: number;
      /** Who stored last to the watched byte; left out when nobody did. */
      readonly writer?: LastWriter;
      readonly proof?: LookedAt;
      /** Left out where nothing is taken in the end. */
      readonly heap?: HeapUse;
    }
  | { readonly kind: "refused"; readonly reason: string; readonly file?: string; readonly line?: number }
  /**
   * The kernel did something that ends a launch on a GPU too (out of bounds, misaligned, endless …), or
   * cannot be launched at all.
   */
  | {
      readonly kind: "faulted";
      readonly reason: string;
      readonly findings: readonly Finding[];
      readonly proof?: LookedAt;
    }
  | { readonly kind: "timed-out"; readonly limitSeconds: number };

/** Runs launches away from the server's own thread. */
export interface VirtualGpu {
  /** Throws `cancelled` when the signal fires: the launch is ended, not waited for. */
  launch(
    job: LaunchJob,
    options: { readonly signal: AbortSignal; readonly limitSeconds: number },
  ): Promise<LaunchResult>;
  /** Gets ready ahead of the first launch. */
  warm(): void;
  close(): Promise<void>;
}
