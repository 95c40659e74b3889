import type { ProgramInstruction } from "../../flatten/program";
import type { Wasm } from "../../wasm/code";

/**
 * Loads of one lane segment that count from the same address, which is checked once for all of them: unrolled
 * loops have dozens.
 */
export interface LoadGroup {
  /** Offset of the first byte that one of them reads, and the bytes from there to the end of the last. */
  readonly low: number;
  readonly span: number;
  readonly members: number;
  /** The first of them, before which the check stands. */
  readonly first: ProgramInstruction;
}

/** Locals with what is known of the addresses of a group in four lanes. */
export interface CheckedGroup {
  /** One of `patterns`. */
  readonly pattern: number;
  /** Linear address of the group's first byte in lane 0, if packed or uniform. */
  readonly base: number;
  /** Linear addresses of the group's first byte, if scattered. */
  readonly linear: number;
}

/** Where the code of a lane segment stands. */
export interface SegmentPlace {
  /** Linear address of the warp. */
  readonly warp: Wasm;
  /** Addresses of this group of four lanes in the warp's 32-bit and 64-bit registers. */
  readonly narrow: Wasm;
  readonly wide: Wasm;
  /** Some of the four lanes may be elsewhere. */
  readonly masked: boolean;
  /** The loads of the segment. */
  readonly groups: ReadonlyMap<ProgramInstruction, LoadGroup>;
}
