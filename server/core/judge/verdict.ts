import type { Measurement } from "../hardware/measurement";
import type { KernelCounters } from "../timing/counters";
import type { HostTime } from "../timing/host/host-calls";
import type { LaunchShape } from "../timing/launch-profile";
import type { KernelProof } from "./proof";
import type { Distribution, ShapeCase } from "../workload/spec";

/** One message of a compiler or of the worker, mapped to the user's file. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "information";
  readonly file: string;
  /** One-based; 0 when the message belongs to no line. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** `nvcc`, `ptxas`, `triton`, `virtual-gpu`, `spec` … */
  readonly source: string;
}

/** Static facts of one source line, read from the machine code. */
export interface MachineLine {
  readonly file: string;
  readonly line: number;
  readonly instructions: number;
  /** Stall cycles that the compiler scheduled after the line's instructions, each counted once. */
  readonly staticStallCycles: number;
  readonly spillInstructions: number;
  /** Instructions by class: `fp32`, `load-global`, `tensor` … */
  readonly mix: Readonly<Record<string, number>>;
}

/** What the compiler said about one kernel on one architecture. */
export interface CompiledFacts {
  readonly kernel: string;
  readonly architecture: string;
  readonly registers: number;
  readonly spillStoreBytes: number;
  readonly spillLoadBytes: number;
  readonly stackBytes: number;
  /** Static shared memory of the kernel. */
  readonly sharedBytes: number;
  /** Threads per block the launch uses, when known (Triton: 32 × num_warps). */
  readonly threadsPerBlock?: number;
  /** Extents of the block of a launch that host code made, x first. */
  readonly block?: readonly [number, number, number];
  /** Read from the cubin, sorted by file and line; left out when the cubin could not be read. */
  readonly machineCode?: readonly MachineLine[];
  /** Families of instructions in it that a spec may require; left out where there is none of them. */
  readonly families?: readonly string[];
}

/** What the wrong elements of an output make likely. */
export type MismatchCause = "tail" | "index-overflow" | "scale" | "precision" | "reduction-order" | "race";

/** The thread that stored a value last, and the line where it did. */
export interface ValueWriter {
  readonly file: string;
  /** One-based; 0 when it is not known. */
  readonly line: number;
  readonly block: readonly [number, number, number];
  readonly thread: readonly [number, number, number];
}

/** The first value that is wrong, as a person wants to read it. */
export interface Mismatch {
  readonly output: string;
  /** Index in each dimension. */
  readonly index: readonly number[];
  readonly expected: number | string;
  readonly actual: number | string;
  /** How many elements are beyond the tolerance, and of how many. */
  readonly wrong: number;
  readonly total: number;
  readonly maxAbsoluteError: number | string;
  /** Where the wrong elements lie, in words; logs of earlier versions do not say it. */
  readonly where?: string;
  readonly cause?: MismatchCause;
  /** A size of the shape, rounded up, with which the same kernel is right: what is wrong is a tail of it. */
  readonly rightWith?: { readonly name: string; readonly size: number };
  /** Who wrote the first wrong value; left out where it is not known. */
  readonly writer?: ValueWriter;
  /** No thread stored to the first wrong element. */
  readonly isUnstored?: boolean;
}

/** A defect that a detector found in the run, tied to a source line. */
export interface Finding {
  /**
   * The kinds of the virtual GPU (`out-of-bounds`, `shared-race`, `global-race`, `uninitialized-read` …),
   * `guard-overwritten`, `host-computed`, `endless` …
   */
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** How often it occurred; left out by detectors that look once. */
  readonly count?: number;
  readonly block?: readonly [number, number, number];
  readonly thread?: readonly [number, number, number];
  /** The other party of a race, or who else takes part. */
  readonly other?: FindingParty;
}

/** Who else takes part in a finding, and where. */
export interface FindingParty {
  readonly access: "read" | "write" | "atomic" | "barrier" | "instruction";
  /** Empty when it is not known. */
  readonly file: string;
  /** One-based; 0 when it is not known. */
  readonly line: number;
  readonly block?: readonly [number, number, number];
  readonly thread?: readonly [number, number, number];
}

/** A smaller shape that fails in the same way, found by trying smaller ones of a shape that failed. */
export interface SmallestFailure {
  readonly sizes: Readonly<Record<string, number>>;
  /** How many smaller shapes were run for it. */
  readonly tried: number;
}

/**
 * How the inputs of a case are drawn: as the spec says, with values of very unequal size, or zeros and ones
 * only; `extreme`: numbers of up to some hundreds; `small`: numbers of about a thousandth; `all-bits`: whole
 * numbers over the range of their type; `one-sided`: numbers below zero, or near an end of their range;
 * `alike`: fifteen of sixteen whole numbers are the same; `mostly-zero`: rows of zeros with a few other
 * floats near their end; `long-row`: one row has half of all elements; `ends`: whole numbers at either end of
 * their range; `least` and `greatest`: whole numbers that are all one end of it; `strided`: multiples of a
 * power of two; `crowded`: floats of which nearly all in each half of a row are the largest or smallest;
 * `beside-halves`: doubles so close to multiples of a half that singles do not tell them from these.
 * `far-from-zero`: the largest input is a thousand times as far from zero as its values are from each other.
 * `arranged`: rows in order, with one peak or nearly alike, and inputs that are copies of others in part.
 * `few`: each input has a few values, again and again; no version is judged by these.
 * Those of `LevelValues` have many ties.
 */
export type InputVariant =
  | "declared"
  | "wide"
  | "zero-one"
  | "extreme"
  | "small"
  | "all-bits"
  | "one-sided"
  | "alike"
  | "mostly-zero"
  | "long-row"
  | "ends"
  | EvenValues
  | "strided"
  | "crowded"
  | "beside-halves"
  | "far-from-zero"
  | "arranged"
  | ExactingValues
  | "few"
  | LevelValues
  | SpecialValues;

/** Single numbers whose sums take more than single precision: some that cancel, or one again and again. */
export type ExactingValues = "cancelling" | "like";

/** Whole numbers that are all one end of their range. */
export type EvenValues = "least" | "greatest";

/** Multiples of a half; zeros of both signs, with other numbers on one side of them alone. */
export type LevelValues = "halves" | "not-above-zero" | "not-below-zero";

/**
 * A tier of its own: values as the spec says with NaN among them, with infinities, with denormal numbers and
 * signed zeros, with numbers near the end of their range (`vast`: near enough that a fast division by them is
 * a zero), or of denormal numbers alone (`faint`: so small that their reciprocals are infinite). The
 * reference says what is right.
 */
export type SpecialValues = "nan" | "infinite" | "tiny" | "largest" | "vast" | "faint";

/** What the tester made up of a case, and why, in its words. */
export interface MadeUp {
  readonly why: string;
  /** Inputs that are drawn otherwise than the spec says. */
  readonly inputs?: Readonly<Record<string, Distribution>>;
}

/** One shape with one secret seed. */
export interface CheckedCase {
  readonly shape: ShapeCase;
  /** Logs of earlier versions do not say it. */
  readonly inputs?: InputVariant;
  readonly passed: boolean;
  readonly tolerance: { readonly absolute: number; readonly relative: number };
  readonly mismatch?: Mismatch;
  readonly findings: readonly Finding[];
  /** Told of the first case that failed, where a smaller shape fails so too. */
  readonly smallest?: SmallestFailure;
  /** What the run could not check, one sentence each; left out when there is nothing to say. */
  readonly remarks?: readonly string[];
  /** Left out of cases that are not the tester's. */
  readonly madeUp?: MadeUp;
}

/**
 * Run time modelled from counts and published peaks (docs/model.md), in nanoseconds. Never a measurement;
 * always labelled as modelled.
 */
export interface ModelledBound {
  readonly gpu: string;
  readonly nanoseconds: number;
  /**
   * Time by simulation of the machine code, launches and gaps and what host code does together; left out
   * where its simulation cannot be trusted. Logs of earlier versions leave it out too where a launch does not
   * fill the GPU.
   */
  readonly simulatedNanoseconds?: number;
  /** What most of the simulated time is spent on, as `limitOf` names it; logs of earlier versions lack it. */
  readonly simulatedLimit?: string;
  /** False where a launch does not fill the GPU, so that its simulated time is told and decides nothing. */
  readonly fillsGpu?: boolean;
  /** What host code takes beside all this; left out where it asks for nothing that is priced. */
  readonly host?: HostTime;
  /** Each term alone, in nanoseconds. */
  readonly terms: Readonly<Record<string, number>>;
  /** Name of the greatest term. */
  readonly binding: string;
}

/** Launches of one kernel in one shape, with what they cost. */
export interface JudgedLaunch extends LaunchShape {
  /** Left out where there is but one kernel. */
  readonly kernel?: string;
  /** Launches of this shape that the bound is the sum of. */
  readonly times: number;
  readonly bound: ModelledBound;
}

/** What one shape costs. */
export interface ShapeBound {
  readonly sizes: Readonly<Record<string, number>>;
  /** Runs of this shape in the objective. */
  readonly weight: number;
  readonly bound: ModelledBound;
}

/** The modelled bound of one shape, in nanoseconds. */
export interface ShapeCost {
  readonly sizes: Readonly<Record<string, number>>;
  readonly nanoseconds: number;
  /** Of its host code. */
  readonly hostNanoseconds?: number;
}

export type Tier = "quick" | "full";

/** Result of a tier. Exactly one kind; failures of a candidate are data. */
export type Verdict =
  | { readonly kind: "did-not-parse"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "did-not-compile"; readonly diagnostics: readonly Diagnostic[] }
  /** The virtual GPU lacks something: `refused: <opcode>`. */
  | { readonly kind: "refused"; readonly reason: string; readonly file?: string; readonly line?: number }
  | {
      readonly kind: "did-not-run";
      readonly reason: string;
      readonly findings: readonly Finding[];
      readonly smallest?: SmallestFailure;
      /** As of a correct version. */
      readonly proofs?: readonly KernelProof[];
    }
  | { readonly kind: "timed-out"; readonly stage: string; readonly limitSeconds: number }
  | {
      readonly kind: "wrong";
      readonly tier: Tier;
      readonly cases: readonly CheckedCase[];
      readonly facts: readonly CompiledFacts[];
      /** As of a correct version. */
      readonly proofs?: readonly KernelProof[];
    }
  | CorrectVerdict
  | ScoredVerdict;

/** The verdict on a version that is not correct. */
export type FailedVerdict = Exclude<Verdict, CorrectVerdict | ScoredVerdict>;

export interface CorrectVerdict {
  readonly kind: "correct";
  readonly tier: Tier;
  readonly cases: readonly CheckedCase[];
  readonly facts: readonly CompiledFacts[];
  /** Counters on the profiled shape (the first that is not held out). */
  readonly counters: KernelCounters;
  readonly bound: ModelledBound;
  /** The launches of the profiled shape, in order; logs of earlier versions do not say them. */
  readonly launches?: readonly JudgedLaunch[];
  /** The bound of each shape that has its part in the objective, the profiled one first. */
  readonly shapeBounds?: readonly ShapeBound[];
  /** The full check: what every shape costs, held-out ones too, which are shown to no model. */
  readonly shapeCosts?: readonly ShapeCost[];
  /** Time of the profiled shape by simulation, also where its launches do not fill the GPU. */
  readonly simulatedNanoseconds?: number;
  /** Times on a GPU, where the target is one. */
  readonly measured?: Measurement;
  /** What holds of the kernels for all sizes, beside what the cases show of some. */
  readonly proofs?: readonly KernelProof[];
  /** Names of what was active while it ran (words/protections.ts); logs of earlier versions do not say it. */
  readonly protections?: readonly string[];
  /** sha256 of the source tree, target and sizes this verdict is bound to. */
  readonly evidence: Evidence;
}

/**
 * What a target's own command said of a version. The number is the command's; nothing here was counted or
 * modelled.
 */
export interface CommandScore {
  /** Of each run, in order. */
  readonly values: readonly number[];
  readonly median: number;
  /** Standard deviation of one run as a fraction of the median; left out after a single run. */
  readonly noise?: number;
  readonly better: "lower" | "higher";
  readonly unit?: string;
}

/** Built, checked by the target's own command, and measured by it. */
export interface ScoredVerdict {
  readonly kind: "scored";
  readonly tier: Tier;
  readonly score: CommandScore;
  readonly evidence: Evidence;
}

/** What a claim is bound to: it goes stale when any of these changes. */
export interface Evidence {
  readonly sourceDigest: string;
  readonly target: string;
  readonly specDigest: string;
  readonly sizes: Readonly<Record<string, number>>;
}
