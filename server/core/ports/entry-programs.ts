import type { Arithmetic } from "../base/arithmetic";
import type { ValueWriter } from "../judge/verdict";
import type { Executed } from "../timing/execution/executed";
import type { LaunchSample } from "../timing/execution/launch-model";
import type { HostCalls } from "../timing/host/host-calls";
import type { LaunchShape } from "../timing/launch-profile";
import type { BufferObservation } from "../workload/probe/observation";
import type { KernelProfile } from "../words/profile";
import type { ProgramTrouble } from "./program-runner";

/** A buffer that a case lends to the entry; the device keeps its contents. */
export interface LentBuffer {
  /** The parameter's name, for messages. */
  readonly name: string;
  readonly content: Uint8Array;
  /** The content is a fill pattern and counts as never written. */
  readonly isUnwritten: boolean;
  /** A kernel that stores here is at fault. */
  readonly isReadOnly: boolean;
  /**
   * Bytes around what is lent, in a probe: the content is repeated over all of them, and the entry gets an
   * address so many bytes behind the start.
   */
  readonly room?: { readonly bytes: number; readonly before: number };
}

/** One call of the entry. */
export interface EntryCase {
  readonly buffers: readonly LentBuffer[];
  /**
   * The arguments as the harness reads them; a pointer is the number of a buffer, and becomes its address.
   */
  readonly arguments: readonly EntryArgument[];
  readonly counters: boolean;
  readonly detectors: boolean;
  /**
   * With counters: tell what each instruction of the launches did. `sampled`: of long launches some blocks
   * alone run, and what the entry leaves in its buffers is of no use.
   */
  readonly executed?: "whole" | "sampled";
  /** What is touched of the buffers is recorded, and launches end after so many warp-level instructions. */
  readonly probe?: { readonly instructionBudget: number };
  /** A byte of a buffer whose last writer is asked for. */
  readonly watched?: { readonly buffer: number; readonly byte: number };
  /**
   * `latest-first`: work of streams is kept back until something waits for it, and then that of the stream
   * used last is done first, as far as streams and events allow; `others-first`: before what something waits
   * for comes what was issued later to other streams. In the order of the calls when left out.
   */
  readonly streams?: "latest-first" | "others-first";
  /** The arguments are those of two calls, one after the other, the first of which nothing waits for. */
  readonly callsTwice?: boolean;
  /** The caller's device is the second of two. */
  readonly secondDevice?: boolean;
  /** The order in which the blocks of launches start; that of their numbers when left out. */
  readonly blocks?: "descending";
  /** As a GPU computes when left out. */
  readonly arithmetic?: Arithmetic;
  /** Numbers of single precision that host code hands to kernels are changed, each by its own value. */
  readonly shaken?: true;
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

/** Each begins on a whole word (8 bytes). */
export type EntryArgument =
  | { readonly kind: "pointer"; readonly buffer: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** What a program has made and not given back when a case is over, of the host (malloc) and of the device. */
export interface KeptThings {
  readonly events: number;
  readonly streams: number;
  readonly graphs: number;
  readonly hostBytes: number;
  readonly deviceBytes: number;
  /**
   * Bits: 1, another device is current than before; 2, launches went to others than that alone; 4, the host
   * rounds otherwise than before.
   */
  readonly strays: number;
}

/** Bytes of the heap of malloc in kernels that are taken when a run begins and when it is over. */
export interface HeapUse {
  readonly before: number;
  readonly after: number;
  /** Of the whole heap. */
  readonly size: number;
}

/** How one kernel was launched. */
export interface LaunchNote {
  /** The symbol, mangled. */
  readonly kernel: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly dynamicSharedBytes: number;
  /** The parameters' block as the kernel reads it. */
  readonly parameters: Uint8Array;
}

/** A launch with what its instructions did, for a simulation of its machine code. */
export interface ExecutedLaunch {
  /** The symbol, mangled. */
  readonly kernel: string;
  readonly shape: LaunchShape;
  readonly executed: Executed;
  readonly sample?: LaunchSample;
}

/**
 * What an allocation of the program held when it was freed, or at the end; of one that is not watched, when
 * it was read.
 */
export interface LastContent {
  readonly content: Uint8Array;
  /** What it held when the program last copied from it to the host, after a kernel had changed it. */
  readonly shown?: Uint8Array;
  /** A kernel was handed what another one had left there, and did not change it. */
  readonly isPassedOn: boolean;
  /** The kernels that changed it, by their symbols, and by which of their parameters. */
  readonly writers: readonly { readonly kernel: string; readonly parameter: number }[];
}

/** What went between host code and device memory in one case. */
export interface HostTraffic {
  /** Bytes of inputs that host code has seen. */
  readonly readBytes: number;
  /** Bytes of other device memory that it has seen. */
  readonly readResultBytes: number;
  /** Contents of device memory that the host code made itself: no copies of inputs or of what it read. */
  readonly made: readonly Uint8Array[];
  /** Contents that it put together of pieces of what it read. */
  readonly copied: readonly Uint8Array[];
  /** Bytes of the sectors that copies within the device and fills moved, in and out. */
  readonly movedBytes: number;
  /** How many such copies and fills there were. */
  readonly moves: number;
  /** Digest of all that host code had the device do, with which contents of its own, in order. */
  readonly acts: string;
  /** What it asked of the runtime beside. */
  readonly calls: HostCalls;
  /** Of a case whose numbers were changed: bytes of them, and what tells whether two handed over the same. */
  readonly shaken?: { readonly bytes: number; readonly digest: string };
}

/** How the call ended. `told`: the process's own words. */
export type EntryEnd =
  | { readonly kind: "returned" }
  | {
      readonly kind: "raised" | "crashed" | "failed";
      readonly told: string;
      readonly file: string;
      readonly line: number;
    }
  /** The process ended, or spoke what is no protocol. */
  | { readonly kind: "lost"; readonly told: string }
  | { readonly kind: "timed-out" };

export interface EntryOutcome {
  readonly end: EntryEnd;
  /** Of all buffers after the call, undefined for one that was freed; empty when the process was lost. */
  readonly contents: readonly (Uint8Array | undefined)[];
  /** Findings of the detectors, launches that were refused, faults. */
  readonly troubles: readonly ProgramTrouble[];
  readonly kernels: readonly KernelProfile[];
  /** The first launches, in order. */
  readonly launches: readonly LaunchNote[];
  readonly launchCount: number;
  /** All launches, where that was asked for and there were few enough to keep. */
  readonly executed?: readonly ExecutedLaunch[];
  readonly traffic: HostTraffic;
  /** Of a probe, for each buffer; offsets count from the start of its room. */
  readonly accesses?: readonly BufferObservation[];
  /** Warp-level instructions of all launches of a probe. */
  readonly warpInstructions: number;
  /** Left out where nothing is taken in the end. */
  readonly heap?: HeapUse;
  /** Left out where the process did not come to tell. */
  readonly kept?: KeptThings;
  /** Who stored last to the watched byte; left out where a copy or a fill may have written there since. */
  readonly writer?: ValueWriter | "nobody";
  /** Of a whole program: what it printed, its exit code and what its allocations held in the end. */
  readonly program?: {
    readonly printed: string;
    /** What it wrote to its standard error. */
    readonly errors: string;
    readonly code: number;
    readonly lastContents: readonly LastContent[];
  };
}

/** Code for the device: what the launches of a program run. */
export interface DeviceCode {
  readonly ptx: string;
  readonly cubin: Uint8Array;
}

/**
 * For files of a harness: the source's line of each line that was compiled. Files left out are as they are.
 */
export type SourceLines = Readonly<Record<string, readonly number[]>>;

export interface WholeProgram {
  readonly arguments: readonly string[];
  /** Sizes in bytes of the allocations whose last contents are asked for. */
  readonly watched: readonly number[];
}

export interface EntryStart {
  /** The executable: a harness around the entry, linked with the virtual GPU's runtime. */
  readonly program: Uint8Array;
  /** The GPU that is modelled: `sm_80`. */
  readonly architecture: string;
  /** Walls without which it is not started; none when the user agreed. */
  readonly requiredWalls: readonly string[];
  /** It is a whole program, which runs once, as one case without buffers. */
  readonly whole?: WholeProgram;
}

/** A process with a device of its own, for the cases of one candidate. */
export interface EntryProgram {
  /**
   * Says what its launches run, and where the lines of its host code stand in the sources. Once, before the
   * first case; what the process asks of its kernels waits for it.
   */
  load(code: DeviceCode, lines: SourceLines): void;
  /** Cases come one after the other. Throws OperationalError for what is not the program's fault. */
  run(order: EntryCase): Promise<EntryOutcome>;
  /** False once a case broke the process or its device. */
  readonly usable: boolean;
  close(): Promise<void>;
}

/** What of NVIDIA's libraries (cuBLAS, cuRAND …) host code is compiled and linked with. */
export interface GpuLibraries {
  readonly headers: string;
  readonly archives: readonly string[];
}

/** Starts harnesses on this machine. */
export interface EntryPrograms {
  /** Path of the runtime that harnesses are linked with; compiled when it is not there yet. */
  library(signal: AbortSignal): Promise<string>;
  /**
   * Our parts of NVIDIA's libraries that these sources need by what they include, compiled when they are not
   * there yet: the folder of all their headers, and the paths of archives.
   */
  gpuLibraries(texts: readonly string[], signal: AbortSignal): Promise<GpuLibraries>;
  /** The part of all harnesses (runtime/entry/harness.hpp). */
  support(): Promise<string>;
  /** The part that makes a case of a whole program (runtime/entry/program.hpp). */
  programSupport(): Promise<string>;
  /** What times calls on a GPU (runtime/entry/timed.hpp), and the program that launches kernels alone. */
  timedSupport(): Promise<TimedSupport>;
  /** Throws `walls-missing`. */
  start(start: EntryStart): Promise<EntryProgram>;
}

/** Texts of `runtime/entry`, for programs whose calls are timed. */
export interface TimedSupport {
  /** By the names that they have there. */
  readonly headers: Readonly<Record<string, string>>;
  readonly launcher: string;
}
