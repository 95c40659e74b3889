import type { PtxType } from "../ptx/types";
import type { Matched, Refusal } from "../opcodes/table";
import type { Operand } from "../ptx/module";

/**
 * A variable's address once its function is known: a byte offset in a window, or a module variable by name.
 */
export interface Place {
  readonly kind: "place";
  readonly space: "local" | "param" | "shared" | "dynamic-shared" | "global";
  readonly offset: number;
  readonly symbol: string;
  /**
   * Register that the offset counts from, for locals of a function that may be running more than once in a
   * thread.
   */
  readonly frame?: number;
}

/**
 * A parameter kept in registers, 32 bits each. Nothing but ld.param and st.param ever touches one, unless its
 * address is taken.
 */
export interface Words {
  readonly kind: "words";
  readonly registers: readonly number[];
  readonly size: number;
}

/** Where a variable of a function is: in memory or, for a parameter, in registers. */
export type Storage = Place | Words;

/** An operand with names resolved and registers numbered over the whole kernel. */
export type ProgramOperand =
  | Extract<Operand, { kind: "register" | "negated" | "integer" | "float" | "special" | "sink" }>
  | Place
  | { readonly kind: "label"; readonly name: string }
  | { readonly kind: "address"; readonly base: ProgramOperand; readonly offset: number }
  | { readonly kind: "vector" | "list"; readonly elements: readonly ProgramOperand[] }
  | { readonly kind: "pair"; readonly first: ProgramOperand; readonly second: ProgramOperand };

/** A call of an inlined function, and the call around it. */
export interface CalledFrom {
  readonly location: number;
  readonly calledFrom?: CalledFrom | undefined;
}

export interface ProgramInstruction {
  readonly matched: Matched;
  readonly operands: readonly ProgramOperand[];
  readonly guard?: { readonly register: number; readonly negated: boolean } | undefined;
  readonly location: number;
  readonly ptxLine: number;
  /** In an inlined function: its call. */
  readonly calledFrom?: CalledFrom;
}

/** Whether an instruction is one of the whole warp, which names no lanes and is run without a mask. */
export function isOfWholeWarp({ matched }: ProgramInstruction): boolean {
  return matched.traits.gathers === "whole-warp";
}

export type ProgramStep =
  | { readonly kind: "instruction"; readonly instruction: ProgramInstruction }
  | { readonly kind: "label"; readonly name: string }
  /** Control goes to a label, which is no instruction of anybody's. */
  | { readonly kind: "goto"; readonly name: string }
  /** The kernel or a function with code of its own starts here. */
  | { readonly kind: "procedure" }
  /** Other warps have their turn first. */
  | { readonly kind: "pause" }
  /** Where control comes back to from the call just before. */
  | { readonly kind: "resume" };

/** One kernel: its own instructions, those of inlined functions, and functions that are called. */
export interface Program {
  readonly steps: readonly ProgramStep[];
  /** The type of each register. */
  readonly registers: readonly PtxType[];
  /** Registers that hand values from one procedure to another; their places are never shared. */
  readonly pinned: ReadonlySet<number>;
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Bytes of the block that the kernel's parameters lie in. */
  readonly parameterBytes: number;
  /** Bytes of local memory a thread needs, without what calls and alloca take while it runs. */
  readonly localBytes: number;
  /** Functions of the driver's that are called. */
  readonly systemCalls: ReadonlySet<string>;
  /**
   * The most calls that can be open at once in a thread; undefined when functions call each other in circles.
   */
  readonly callDepth: number | undefined;
  /** The kernel takes local memory while it runs: frames of recursive functions, alloca. */
  readonly usesFrames: boolean;
  /** Labels of functions by number, for each signature of calls through registers. */
  readonly pointers: ReadonlyMap<string, readonly { readonly number: number; readonly label: string }[]>;
  /** Bytes of static shared memory; dynamic shared memory starts behind, aligned. */
  readonly sharedBytes: number;
  /**
   * The part of static shared memory that stands for what the system reserves: zero at the start of every
   * block.
   */
  readonly reservedShared: { readonly at: number; readonly bytes: number } | undefined;
  /** Where the last static variable in shared memory ends. */
  readonly sharedEnd: number;
  /** Where each static variable in shared memory starts, in ascending order. */
  readonly sharedStarts: readonly number[];
  /** Module variables in use. */
  readonly symbols: ReadonlySet<string>;
}

/** A refusal with the location index where it arose. */
export type LocatedRefusal = Refusal & { readonly location?: number };
