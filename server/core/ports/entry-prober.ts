import type { Outcome } from "../base/outcome";
import type { SourceTree } from "../judge/candidate";
import type { Target } from "../timing/target";
import type { BuildSettings } from "../workload/build-settings";
import type { ElementType, ProbeContent, ProbeObservation } from "../workload/probe/observation";
import type { DataType, StructureSpec } from "../workload/spec";
import type { LaunchNote } from "./entry-programs";

/** An argument of an entry as it is made up: what it is, not yet which one. */
export type EntryProbeParameter =
  | { readonly kind: "buffer"; readonly name: string; readonly type: ElementType }
  | { readonly kind: "number"; readonly name: string; readonly dtype: DataType }
  /** Fixed bytes, as hex. */
  | { readonly kind: "bytes"; readonly name: string; readonly bytes: string };

/** A variable of the module that is filled before each call. */
type EntryProbeSymbol = {
  /** As C++ names it. */
  readonly variable: string;
} & (
  | { readonly kind: "buffer"; readonly name: string; readonly type: ElementType }
  | { readonly kind: "numbers"; readonly byteLength: number }
);

/** A C++ function that is called to see what it and its kernels touch. */
export interface EntryProbeSource {
  readonly tree: SourceTree;
  /** The kernel's file. */
  readonly file: string;
  /** `FILE::FUNCTION`, relative to the top of the tree. */
  readonly call: string;
  /** What is compiled with the function's file as one. */
  readonly sources: readonly string[];
  readonly parameters: readonly EntryProbeParameter[];
  readonly structures: readonly StructureSpec[];
  readonly symbols: readonly EntryProbeSymbol[];
  /** What it returns, with its name among the outputs. */
  readonly result?: { readonly name: string; readonly type: ElementType };
  readonly build: BuildSettings;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** What one parameter gets. `elements`: the length of a buffer that is not roomy. */
export type EntryProbeArgument =
  | { readonly kind: "buffer"; readonly content: ProbeContent; readonly elements?: number }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "bytes" };

/** What a variable holds: of numbers each at its byte. */
export type EntryProbeFill =
  | { readonly kind: "buffer"; readonly content: ProbeContent }
  | { readonly kind: "numbers"; readonly numbers: readonly PlacedNumber[] };

interface PlacedNumber {
  readonly at: number;
  readonly value: number;
  readonly dtype: DataType;
}

export interface EntryProbeCall {
  /** One for each parameter. */
  readonly arguments: readonly EntryProbeArgument[];
  /** One for each variable that is filled. */
  readonly fills: readonly EntryProbeFill[];
  /** Warp-level instructions of all launches after which the probe is given up. */
  readonly instructionBudget: number;
  /** After which a call is taken for one that waits for something; instructions are counted above. */
  readonly limitSeconds: number;
  /** Buffers may be as large as pictures are; set where no call has smaller ones. */
  readonly isVast?: boolean;
}

/** What a call touched of its buffers, the result last, and what it launched. */
export interface EntryObservation extends ProbeObservation {
  /** The first launches, in order. */
  readonly launches: readonly LaunchNote[];
  /** How many there are in all. */
  readonly launchCount: number;
}

/** A compiled function that can be called. */
export interface ProbedEntry {
  /** Bytes of the variables in constant memory, by their names without namespaces. */
  readonly constantBytes: ReadonlyMap<string, number>;
  /** The problem: why the call gave nothing, as a sentence. Throws `cancelled`. */
  run(call: EntryProbeCall): Promise<Outcome<EntryObservation, string>>;
  close(): Promise<void>;
}

/** Compiles harnesses around functions and calls them with roomy, shadowed buffers. */
export interface EntryProber {
  /** The problem: why it cannot be compiled, as a sentence. Throws `cancelled` and `walls-missing`. */
  open(source: EntryProbeSource): Promise<Outcome<ProbedEntry, string>>;
}
