import type { DataType } from "../spec";

/** A tensor of a recorded call; the content is row-major. */
export interface RecordedTensor {
  readonly name: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly content: Uint8Array;
}

/**
 * How values like those of a recorded tensor can be drawn; `other`: they mean something that no draw has
 * (places that never meet, rows in their order).
 */
type SeenValues =
  | { readonly kind: "range" | "permutation"; readonly low: number; readonly high: number }
  | { readonly kind: "normal" | "uniform" | "positive" | "zero-one" | "other" };

/** A call of a Python program's host code, or several that were equal but for contents: then the first. */
export interface RecordedCall {
  /** Kernels that were launched within, with the real path of the file of each. */
  readonly kernels: readonly { readonly kernel: string; readonly file: string }[];
  /** Real path of the file in whose names the call is written. */
  readonly file: string;
  /** The call as an expression over the inputs and the numbers. */
  readonly call: string;
  /** The launch of a kernel itself, as no function of the program makes it. */
  readonly isLaunch: boolean;
  /** Whole numbers among its arguments. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly inputs: readonly RecordedTensor[];
  /** Of the inputs, by name. */
  readonly values: Readonly<Record<string, SeenValues>>;
  /** What it returned of memory that a kernel was given. */
  readonly returned: readonly RecordedTensor[];
  /** The inputs that it changed, as it left them. */
  readonly changed: readonly RecordedTensor[];
  readonly count: number;
}

/** A recorded call without contents, from which calls with other sizes can be made. */
export interface SeenCall extends Pick<RecordedCall, "call" | "numbers"> {
  /** In whose names the call is written, workspace-relative. */
  readonly file: string;
  readonly inputs: readonly (Omit<RecordedTensor, "content"> & { readonly values: SeenValues })[];
}

/** A kernel with a launch that has no text, and so is not recorded. */
export interface MissedLaunch {
  readonly kernel: string;
  readonly file: string;
  /** Without a stop at its end. */
  readonly reason: string;
}
