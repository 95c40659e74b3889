import type { KernelCounters } from "../../../timing/counters";
import type { Executed } from "../../../timing/execution/executed";
import type { AccessLedger, AllocationAccess } from "../../memory/access-ledger";
import type { DeviceMemory } from "../../memory/device-memory";
import type { TouchedAllocations } from "./touched";

/** One kernel argument: raw little-endian bytes, or a value for a parameter of 1, 2, 4 or 8 bytes. */
export type KernelArgument =
  | { readonly kind: "address"; readonly value: bigint }
  | { readonly kind: "integer"; readonly value: bigint | number }
  /** Stored in the parameter's own format: 4 bytes single, 8 bytes double precision. */
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "bytes"; readonly value: Uint8Array };

export type Triple = readonly [number, number, number];

/** How one of several host threads gets its share of a launch's blocks. */
export interface BlockShare {
  /**
   * The next blocks to run, by linear number, in place of `LaunchRequest.blocks`; undefined when none are
   * left. `used`: warp-level instructions that this thread has run.
   */
  take(used: number): { readonly from: number; readonly to: number } | undefined;
  /** Spends warp-level instructions of the common budget; returns what is left of it. */
  spend(instructions: number): number;
}

export interface LaunchRequest {
  readonly grid: Triple;
  readonly block: Triple;
  readonly dynamicSharedBytes: number;
  /** In the order of the kernel's parameters. */
  readonly arguments: readonly KernelArgument[];
  readonly memory: DeviceMemory;
  /** Warp-level instructions after which the launch is stopped as endless. */
  readonly instructionBudget: number;
  /** Called every few milliseconds of work; true cancels the launch. */
  readonly shouldStop?: () => boolean;
  /** Linear numbers of the blocks to run, [from, to); by default all. Lets a host split a launch. */
  readonly blocks?: { readonly from: number; readonly to: number };
  /**
   * The effect of a bad access (out of bounds, after free, misaligned, a store to read-only memory). "end",
   * the default, ends the launch as on a GPU. "report" suppresses the access (a load gives 0, a store is
   * dropped), records one finding for each cause and continues.
   */
  readonly faults?: "end" | "report";
  /**
   * The order in which blocks start: that of their numbers, the default, or from the last to the first. A GPU
   * promises neither.
   */
  readonly order?: "ascending" | "descending";
  /** Set when several host threads run the launch together. */
  readonly share?: BlockShare;
  /** Allocations that the launch has to fill. With detectors, bytes that were never stored are a finding. */
  readonly outputs?: readonly bigint[];
  /**
   * All blocks are resident at once and may wait for each other (grid-wide barriers of cooperative groups). A
   * launch with more blocks than the GPU holds is invalid.
   */
  readonly cooperative?: boolean;
  /** Blocks of a cluster by axis; left out: what the kernel says, or none. */
  readonly cluster?: Triple;
  /**
   * Runs the grid before, beside which this one begins (a programmatic dependent launch): called once, when
   * all threads that can run wait for it. Not called where none waits.
   */
  readonly gridBefore?: () => void;
  /** Blocks that the modelled GPU holds at once; by default an A100's, by threads and shared memory. */
  readonly residentBlocks?: number;
  /**
   * For kernels compiled with `accesses`: what records them over several launches. Left out: a ledger of the
   * launch's own.
   */
  readonly ledger?: AccessLedger;
  /** For kernels compiled with `accesses`: a place whose writers are told. */
  readonly watched?: WatchedPlace;
  /**
   * For kernels compiled with `counters`: tell what each instruction did. The warps of a block take short
   * turns then, so that distances of reuse are as if they ran side by side.
   */
  readonly executed?: boolean;
  /** Tell which allocations were read and which were written. */
  readonly tellsTouched?: boolean;
  /** Receives what the kernel prints, in the order of execution, up to 1 MiB a launch. */
  readonly print?: (text: string) => void;
  /**
   * Receives what the kernel has the GPU do afterwards, in the order of the calls: it is to be done when this
   * launch has ended. Left out: a kernel that launches others is refused.
   */
  readonly follow?: (work: ChildWork) => void;
}

/** What a kernel has the GPU do: launch a kernel of the same module, copy, fill. */
export type ChildWork = { readonly isTail: boolean } & (
  | {
      readonly kind: "launch";
      readonly kernel: string;
      readonly grid: Triple;
      readonly block: Triple;
      readonly dynamicSharedBytes: number;
      /** The block of the kernel's parameters. */
      readonly parameters: Uint8Array;
    }
  | { readonly kind: "copy"; readonly to: bigint; readonly from: bigint; readonly bytes: number }
  | { readonly kind: "fill"; readonly to: bigint; readonly value: number; readonly bytes: number }
);

/** An address whose last store is noted, for kernels compiled with `accesses`; a linear address. */
interface WatchedPlace {
  readonly address: number;
  /** Called for each store that touches the address, in the order of execution. */
  readonly stored: (by: LastStore) => void;
}

/** Who stored to a place; file and line where they are known. */
export interface LastStore {
  readonly file?: string;
  readonly line?: number;
  readonly block: Triple;
  readonly thread: Triple;
}

/**
 * What a launch touched. `loadReach` ends behind the last thread of each axis that loaded from global memory,
 * `storeReach` behind the last that stored or updated.
 */
export interface LaunchAccesses {
  readonly allocations: readonly AllocationAccess[];
  /** End of what was touched of a block's shared memory, static and dynamic. */
  readonly sharedBytes: number;
  readonly loadReach: Triple;
  readonly storeReach: Triple;
  /** It was ended after many bad accesses: what it would have touched later is not known. */
  readonly isCut: boolean;
}

export type FaultKind =
  | "out-of-bounds"
  | "use-after-free"
  | "misaligned"
  | "read-only-write"
  | "uninitialized-read"
  | "never-written"
  | "shared-race"
  | "global-race"
  | "divergent-barrier"
  | "barrier-deadlock"
  | "deadlock"
  | "endless-loop"
  | "illegal-shuffle-mask"
  /** A shuffle from a lane that has exited or does not take part. */
  | "undefined-shuffle"
  /** The same from a lane that is there, and whose register a GPU reads: often nobody wants the value. */
  | "inactive-shuffle"
  | "divergent-warp-instruction"
  | "invalid-metadata"
  | "stack-overflow"
  /** A call to an address that is no function, or to a function with other parameters. */
  | "bad-call"
  /** A free of an address that malloc did not return, or a second free. */
  | "invalid-free"
  /**
   * A texture or surface object that was never created, was destroyed, or is not what the instruction needs.
   */
  | "invalid-object"
  | "trap"
  | "invalid-launch";

/** The other thread of a race or deadlock. */
export interface OtherParty {
  readonly access: "read" | "write" | "atomic" | "barrier" | "instruction";
  readonly file?: string;
  readonly line?: number;
  readonly block?: Triple;
  readonly thread?: Triple;
}

/** What went wrong, where, and in which thread. The message can be read on its own. */
export interface KernelFinding {
  readonly kind: FaultKind;
  readonly message: string;
  /** Occurrences of this cause, at least 1. File, line, thread and address are those of the first. */
  readonly count: number;
  readonly file?: string;
  readonly line?: number;
  readonly block?: Triple;
  readonly thread?: Triple;
  readonly address?: bigint;
  /** The nearest allocation, and the distance of the access in bytes: negative before its start. */
  readonly allocation?: string;
  readonly distance?: number;
  readonly other?: OtherParty;
}

interface WorkDone {
  /** Warp-level PTX instructions executed; a clock read counts as several: see `analyse/clocks.ts`. */
  readonly warpInstructions: number;
}

/** Findings that did not end the launch. */
export interface Noted {
  readonly findings: readonly KernelFinding[];
  /**
   * The launch synchronised at more locations than are tracked. From then on all blocks counted as ordered,
   * and the warps of a block as ordered by any fence, so races may have been missed.
   */
  readonly isOrderLost?: true;
}

export type LaunchOutcome =
  | ({
      readonly kind: "completed";
      readonly counters?: KernelCounters;
      /** Of kernels compiled with `accesses`. */
      readonly accesses?: LaunchAccesses;
      /** Where the request asks for it. */
      readonly executed?: Executed;
      /** Where the request asks for it, and all that the kernel touches is noted. */
      readonly touched?: TouchedAllocations;
    } & Noted &
      WorkDone)
  /** `finding` ended the launch; `findings` came before it. */
  | ({ readonly kind: "fault"; readonly finding: KernelFinding } & Noted & WorkDone)
  /** The instruction budget ran out; the line is where the last warp was. */
  | ({
      readonly kind: "budget-exceeded";
      readonly file?: string;
      readonly line?: number;
      readonly block: Triple;
    } & Noted &
      WorkDone)
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "stopped" } & WorkDone);
