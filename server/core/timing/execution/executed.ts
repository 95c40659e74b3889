import type { SectorReuse } from "../reuse";

/** What a memory instruction did in one launch. */
export interface ExecutedAccess {
  readonly space: "global" | "shared" | "local" | "param" | "generic";
  readonly access: "load" | "store" | "atomic";
  /** Bytes that one lane touches. */
  readonly bytes: number;
  /** Requests to global, shared and local memory. */
  readonly globalRequests: number;
  readonly sharedRequests: number;
  readonly localRequests: number;
  /** 32-byte sectors of global memory, and what the bytes asked for would fill. */
  readonly sectors: number;
  readonly idealSectors: number;
  /** Lines of 128 bytes that the sectors lie in. */
  readonly lines: number;
  readonly wavefronts: number;
  readonly localSectors: number;
  /** For each request: of atomics the most lanes with one address, of loads the distinct addresses. */
  readonly globalPasses: number;
  readonly sharedPasses: number;
  /** An atomic operation on floats. */
  readonly isFloat?: true;
  readonly reuse?: SectorReuse;
}

/** One PTX instruction and how often it ran in one launch. */
export interface ExecutedInstruction {
  /**
   * Where it stands in the source: the innermost place of inlined code, as line tables of machine code name
   * it.
   */
  readonly file: string;
  /** One-based; 0 without line information. */
  readonly line: number;
  /** The lines of the calls that it was inlined for, from the inside out. */
  readonly callers: readonly number[];
  /** The line that a reader is told: the user's own, where the code comes from a toolkit header. */
  readonly shownFile: string;
  readonly shownLine: number;
  /** `ld`, `bar`, `shfl`. */
  readonly opcode: string;
  /** `fp32`, `integer`, `memory` and the like. */
  readonly class: string;
  /** Number of its basic block; those of one block ran equally often. */
  readonly block: number;
  /** How often a warp executed it. */
  readonly executions: number;
  /** Of matrix instructions: operations of the whole warp, and the type of what is multiplied (`tf32`). */
  readonly tensorOperations?: number;
  readonly tensorType?: string;
  /** Of loads and stores of fragments: bits of an element. */
  readonly elementBits?: number;
  readonly access?: ExecutedAccess;
  /** Of loads from constant memory: requests, and the distinct addresses of the lanes, request by request. */
  readonly constants?: { readonly requests: number; readonly places: number };
}

/** What one launch executed, in the order of the program's text. */
export interface Executed {
  readonly instructions: readonly ExecutedInstruction[];
  /** Warps that ran: of all blocks that were executed. */
  readonly warps: number;
  readonly blocks: number;
}
