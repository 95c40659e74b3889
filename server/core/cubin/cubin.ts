import type { KernelParameter } from "./kernel-info";
import type { InstructionClass } from "./opcode-table";

/** Number of instructions by class; a class that does not occur is absent. */
type InstructionMix = Readonly<Partial<Record<InstructionClass, number>>>;

/** Facts of the machine code of one source line. Static: what stands in the binary, not what is executed. */
export interface LineCode {
  /** As the line table names it; empty where the compiler attributes the code to no line. */
  readonly file: string;
  /** One-based; 0 with an empty file. */
  readonly line: number;
  readonly instructions: number;
  readonly mix: InstructionMix;
  /** Number of instructions by mnemonic without modifiers. */
  readonly opcodes: Readonly<Record<string, number>>;
  /** Sum of the cycles that the scheduler waits after each instruction. */
  readonly staticStallCycles: number;
  /** Widest access of one lane to global memory, in bytes; 0 when there is none. */
  readonly widestGlobalAccess: number;
  /** Instructions that save or restore a register for lack of room. */
  readonly spillInstructions: number;
  /** How many loops of the machine code enclose the line's most deeply nested instruction. */
  readonly loopDepth: number;
}

export interface Spills {
  readonly storeBytes: number;
  readonly loadBytes: number;
  readonly storeInstructions: number;
  readonly loadInstructions: number;
}

/** The machine code of one code section: a kernel, or a function that is called through a pointer. */
export interface FunctionCode {
  /** Mangled, as the launch names it. */
  readonly name: string;
  readonly registers: number;
  /**
   * Bytes of stack of the code section: its own frame and the deepest of the functions that the compiler
   * placed in it.
   */
  readonly stackBytes: number;
  readonly spills: Spills;
  readonly instructions: number;
  readonly mix: InstructionMix;
  readonly staticStallCycles: number;
  /** Sorted by file and line. */
  readonly lines: readonly LineCode[];
}

export interface CubinKernel extends FunctionCode {
  /** Bytes of stack that a launch needs, called functions included. */
  readonly cumulativeStackBytes: number;
  /** Static shared memory that the source declares, without what the system reserves. */
  readonly sharedBytes: number;
  /** Shared memory that the system takes of every block, where the cubin counts it. */
  readonly reservedSharedBytes: number;
  readonly barriers: number;
  /** From launch bounds or a required block size. */
  readonly maximumThreads?: number;
  readonly parameterBytes: number;
  readonly parameters: readonly KernelParameter[];
}

export interface Cubin {
  /** Compute capability times ten: 90 for sm_90. */
  readonly architecture: number;
  readonly kernels: readonly CubinKernel[];
  /** Functions with a code section of their own that are no kernels. */
  readonly functions: readonly FunctionCode[];
}
