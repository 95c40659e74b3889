import type { KernelCounters } from "../../../timing/counters";
import type { DeviceMemory } from "../../memory/device-memory";

/** One kernel argument: raw little-endian bytes, or a value for a parameter of 1, 2, 4 or 8 bytes. */
export type KernelArgument =
  | { readonly kind: "address"; readonly value: bigint }
  | { readonly kind: "integer"; readonly value: bigint | number }
  /** Stored in the parameter's own format: 4 bytes single, 8 bytes double precision. */
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "bytes"; readonly value: Uint8Array };

export type Triple = readonly [number, number, number];

/** What a thread asks when several run one launch's blocks. */
export interface BlockShare {
  /**
   * Linear numbers of the blocks to run next, in place of `LaunchRequest.blocks`; undefined when there are
   * none left. `used`: warp-level instructions of this thread so far.
   */
  take(used: number): { readonly from: number; readonly to: number } | undefined;
  /**
   * Tells of warp-level instructions that this thread has run; gives what is left of the budget for all
   * threads.
   */
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
  /** Asked every few milliseconds of work; true ends the launch. */
  readonly shouldStop?: () => boolean;
  /**
   * Linear numbers of the blocks to run, from inclusive to exclusive; all when left out. Lets a host spread
   * or slice a launch.
   */
  readonly blocks?: { readonly from: number; readonly to: number };
  /**
   * What a bad access (out of bounds, after free, misaligned, a store to read-only memory) does. "end", the
   * default, ends the launch as on a GPU. "report" suppresses it (a load gives 0, a store is dropped), notes
   * it once per cause and goes on.
   */
  readonly faults?: "end" | "report";
  /** Runs blocks together with other threads: see `BlockShare`. */
  readonly share?: BlockShare;
  /**
   * Allocations that the launch has to fill: bytes to which nothing was ever stored are found by kernels with
   * detectors.
   */
  readonly outputs?: readonly bigint[];
  /**
   * All blocks are resident at once and may wait for each other (grid-wide barriers of cooperative groups);
   * too many are an invalid launch.
   */
  readonly cooperative?: boolean;
  /**
   * Blocks that the modelled GPU holds at once; by default what an A100 holds by threads and shared memory.
   */
  readonly residentBlocks?: number;
  /**
   * Gets what the kernel prints, in the order of execution, up to 1 MiB a launch. Without it the text is
   * dropped.
   */
  readonly print?: (text: string) => void;
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
  | "divergent-warp-instruction"
  | "invalid-metadata"
  /**
   * More calls or allocations on the stack than it holds; a call to an address that is no function; a free of
   * what malloc never gave.
   */
  | "stack-overflow"
  | "bad-call"
  | "invalid-free"
  /**
   * A texture or surface object that was never made, that was destroyed, or that is not what the instruction
   * needs.
   */
  | "invalid-object"
  | "trap"
  | "invalid-launch";

/** The other thread of a race, or who else takes part in what went wrong. */
export interface OtherParty {
  readonly access: "read" | "write" | "atomic" | "barrier" | "instruction";
  readonly file?: string;
  readonly line?: number;
  readonly block?: Triple;
  readonly thread?: Triple;
}

/** What went wrong, where and who did it. The message can be read on its own. */
export interface KernelFinding {
  readonly kind: FaultKind;
  readonly message: string;
  /**
   * How often this cause showed in the launch; at least 1. File, line, thread and address are those of the
   * first time.
   */
  readonly count: number;
  readonly file?: string;
  readonly line?: number;
  readonly block?: Triple;
  readonly thread?: Triple;
  readonly address?: bigint;
  /** Nearest allocation and how many bytes the access lies outside of it; negative: before its start. */
  readonly allocation?: string;
  readonly distance?: number;
  readonly other?: OtherParty;
}

export interface WorkDone {
  /**
   * Warp-level instructions executed (PTX instructions, as written); reading a clock counts as several: see
   * `clocks.ts`.
   */
  readonly warpInstructions: number;
}

/** What a launch noted without ending. */
export interface Noted {
  readonly findings: readonly KernelFinding[];
  /**
   * The launch synchronised at more places than are kept: from then on blocks were taken to be ordered, and
   * their warps by any fence.
   */
  readonly isOrderLost?: true;
}

export type LaunchOutcome =
  | ({ readonly kind: "completed"; readonly counters?: KernelCounters } & Noted & WorkDone)
  /** `finding` ended the launch; `findings` were noted before it. */
  | ({ readonly kind: "fault"; readonly finding: KernelFinding } & Noted & WorkDone)
  /** The budget ran out; the line is where the warp was. */
  | ({
      readonly kind: "budget-exceeded";
      readonly file?: string;
      readonly line?: number;
      readonly block: Triple;
    } & Noted &
      WorkDone)
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "stopped" } & WorkDone);
