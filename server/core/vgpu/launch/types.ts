import type { KernelCounters } from "../../kernel/counters";
import type { DeviceMemory } from "../device-memory";

/** One kernel argument: raw little-endian bytes, or a value for a parameter of 1, 2, 4 or 8 bytes. */
export type KernelArgument =
  | { readonly kind: "address"; readonly value: bigint }
  | { readonly kind: "integer"; readonly value: bigint | number }
  /** Stored in the parameter's own format: 4 bytes single, 8 bytes double precision. */
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "bytes"; readonly value: Uint8Array };

export type Triple = readonly [number, number, number];

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
  /** Linear numbers of the blocks to run, from inclusive to exclusive; all when left out. Lets a host spread or slice a launch. */
  readonly blocks?: { readonly from: number; readonly to: number };
}

export type FaultKind =
  | "out-of-bounds" | "misaligned" | "read-only-write" | "divergent-barrier" | "barrier-deadlock" | "illegal-shuffle-mask" | "divergent-warp-instruction" | "trap" | "uninitialized-read" | "invalid-launch";

/** What went wrong, where and who did it. */
export interface KernelFinding {
  readonly kind: FaultKind;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly block?: Triple;
  readonly thread?: Triple;
  readonly address?: bigint;
  /** Nearest allocation and how many bytes the access lies outside of it; negative: before its start. */
  readonly allocation?: string;
  readonly distance?: number;
}

export interface WorkDone {
  /** Warp-level instructions executed (PTX instructions, as written). */
  readonly warpInstructions: number;
}

export type LaunchOutcome =
  | ({ readonly kind: "completed"; readonly counters?: KernelCounters; readonly findings: readonly KernelFinding[] } & WorkDone)
  | ({ readonly kind: "fault"; readonly finding: KernelFinding } & WorkDone)
  /** The budget ran out; the line is where the warp was. */
  | ({ readonly kind: "budget-exceeded"; readonly file?: string; readonly line?: number; readonly block: Triple } & WorkDone)
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "stopped" } & WorkDone);
