import type { DataType } from "../spec";

/** Three extents, x first. */
export type Extents = readonly [number, number, number];

/** A range of bytes of a buffer, [from, to), and how many bytes of it were touched. */
export interface TouchedSpan {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/**
 * What a probe saw of one buffer. Offsets count from the address that the kernel got; they may be negative.
 */
export interface BufferObservation {
  readonly name: string;
  readonly read?: TouchedSpan;
  readonly written?: TouchedSpan;
  /** What was read before it was written. */
  readonly readFirst?: TouchedSpan;
  readonly isAtomic: boolean;
  /** Bytes that several threads stored to, atomics aside. */
  readonly contendedBytes: number;
  /** Coordinates in the whole launch of the first thread that touched the last of the touched bytes. */
  readonly lastBy: Extents;
  readonly elementBytes: number;
  readonly isFloat: boolean;
  /** With other contents in some buffer less of it is written, or nothing. */
  readonly isSometimes?: true;
  /** It is reached through a table of addresses: how many were read, and bytes of a row. */
  readonly rows?: { readonly count: number; readonly bytes: number };
}

/** What a launch with roomy buffers touched. */
export interface ProbeObservation {
  readonly buffers: readonly BufferObservation[];
  /** End of what was touched of a block's shared memory, static and dynamic. */
  readonly sharedBytes: number;
  /** Ends behind the last thread of each axis that loaded from global memory; `storeReach`: that stored. */
  readonly loadReach: Extents;
  readonly storeReach: Extents;
  /** It was ended after many bad accesses: what it would have touched later is not known. */
  readonly isCut: boolean;
  readonly warpInstructions: number;
  /** Accesses that hit nothing, misaligned ones and the like: their kinds and sentences. */
  readonly faults: readonly { readonly kind: string; readonly message: string }[];
  /** Seen with several contents, as which elements are written depends on what buffers hold. */
  readonly isOfSeveral?: true;
}

/** What the elements of a pointer are: how many numbers of which type lie in one of them. */
export interface ElementType {
  readonly dtype: DataType;
  readonly width: number;
}

/**
 * What a buffer holds before a probe: the same number everywhere; 0, `step`, 2 * `step` …; numbers from 0
 * to below 1, ascending; a few numbers in turn; or structures.
 */
export type ProbeContent =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "ramp"; readonly step: number }
  | { readonly kind: "spread" }
  | { readonly kind: "cycle"; readonly values: readonly number[] }
  | RecordContent;

/** Structures, by their numbers; those without a value of their own are what the array holds there. */
export interface RecordContent {
  readonly kind: "record";
  readonly byteLength: number;
  readonly fields: readonly { readonly at: number; readonly value?: number; readonly dtype: DataType }[];
  readonly whole: Exclude<ProbeContent, RecordContent>;
}
