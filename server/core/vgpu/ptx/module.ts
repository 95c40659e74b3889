import type { PtxType } from "./types";

/**
 * A PTX module as read from text, before anything is decided about how it runs (PTX ISA 9.0, section 4
 * "Syntax").
 */

/** Why a text is no PTX that we can read. `line` is the one-based line of the PTX text. */
export interface PtxProblem {
  readonly message: string;
  readonly line: number;
}

export type StateSpace = "global" | "const" | "shared" | "local" | "param";

export type Operand =
  | { readonly kind: "register"; readonly register: number }
  | { readonly kind: "negated"; readonly register: number }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly size: 32 | 64; readonly bits: bigint }
  | { readonly kind: "special"; readonly name: string }
  /** A variable's address plus bytes, or the name of a function or label. */
  | { readonly kind: "symbol"; readonly name: string; readonly offset: number }
  | { readonly kind: "address"; readonly base: Operand; readonly offset: number }
  | { readonly kind: "vector"; readonly elements: readonly Operand[] }
  /** `%p|%q`: two destinations. */
  | { readonly kind: "pair"; readonly first: Operand; readonly second: Operand }
  | { readonly kind: "list"; readonly elements: readonly Operand[] }
  | { readonly kind: "sink" };

/** One place in a source file; both numbers are one-based. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/**
 * What a video instruction says of an operand besides the register: a part of it, such as `b0`, `h1` or
 * `b3210`, and a sign before it.
 */
export interface OperandPart {
  readonly part?: string;
  readonly negated: boolean;
}

export interface Instruction {
  /** The first part of the name: `ld` of `ld.global.f32`. */
  readonly opcode: string;
  /** The other parts in order, without dots. */
  readonly modifiers: readonly string[];
  readonly guard?: { readonly register: number; readonly negated: boolean };
  readonly operands: readonly Operand[];
  /** Of video instructions, one for each operand. */
  readonly parts?: readonly OperandPart[];
  /** One-based line in the PTX text. */
  readonly ptxLine: number;
  /** Index into the module's `locations`; -1 without line information. */
  readonly location: number;
}

export type Statement =
  | { readonly kind: "instruction"; readonly instruction: Instruction }
  | { readonly kind: "label"; readonly name: string }
  /** `.branchtargets` or `.calltargets`: a list of labels or functions by name. */
  | { readonly kind: "targets"; readonly name: string; readonly labels: readonly string[] }
  /** `.callprototype`: what the functions that a call through a register may reach take and give. */
  | {
      readonly kind: "prototype";
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly results: readonly Parameter[];
    };

/**
 * A variable with its bytes; references to other variables' addresses inside of an initialiser are patched at
 * load.
 */
export interface Variable {
  readonly name: string;
  readonly space: StateSpace;
  readonly align: number;
  /** Bytes; 0 for an `extern` array of unknown size (dynamic shared memory). */
  readonly size: number;
  readonly initial?: Uint8Array<ArrayBuffer>;
  readonly references: readonly { readonly at: number; readonly symbol: string; readonly offset: number }[];
}

export interface Parameter {
  readonly name: string;
  readonly type: PtxType;
  readonly align: number;
  readonly size: number;
  /** Byte offset in the parameter block. */
  readonly offset: number;
  /** True when the text says so (`.ptr`); undefined when the text is silent. */
  readonly isPointer?: boolean;
  /** Number of the register that a device function's `.reg` parameter is. */
  readonly register?: number;
}

export interface PtxFunction {
  readonly name: string;
  readonly isEntry: boolean;
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
  readonly statements: readonly Statement[];
  /** Type of each register by number. */
  readonly registers: readonly PtxType[];
  readonly variables: readonly Variable[];
  readonly maxThreads?: readonly [number, number, number];
  readonly requiredThreads?: readonly [number, number, number];
  /** Blocks of a cluster by axis, where the text says it. */
  readonly cluster?: readonly [number, number, number];
  /** False for a prototype. */
  readonly hasBody: boolean;
  readonly ptxLine: number;
}

/** One `.loc`: a line and, when it was inlined, where it was called from (index of another location). */
export interface Location {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly inlinedAt: number;
}

/** How a name is seen by other modules (PTX ISA section 11.6). */
export type Linkage = "visible" | "weak" | "common" | "extern";

export interface PtxModule {
  readonly version: string;
  readonly target: string;
  readonly addressSize: number;
  readonly functions: ReadonlyMap<string, PtxFunction>;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Of the functions and variables that other modules may see; all others are the module's own. */
  readonly linkage: ReadonlyMap<string, Linkage>;
  /** Names by the numbers that `.file` gives them. */
  readonly files: ReadonlyMap<number, string>;
  readonly locations: readonly Location[];
}
