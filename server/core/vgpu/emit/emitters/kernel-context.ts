import type { Arithmetic } from "../../../base/arithmetic";
import type { PtxType } from "../../ptx/types";
import { globals } from "../../library/library";
import { type Wasm, getGlobal, load } from "../../wasm/code";
import type { ProgramInstruction } from "../../flatten/program";
import type { MemorySite } from "./memory-site";

/** What the code of one kernel shares. */
export interface KernelContext {
  readonly registers: readonly PtxType[];
  /** Byte offset of a register in the warp's block. */
  slotOf(register: number): number;
  /** Index of a library function. */
  require(name: string): number;
  /** Index of a function that the host provides. */
  importOf(name: string): number;
  /** Number of a memory instruction's record. */
  addSite(site: MemorySite): number;
  /** Registers whose values are used for more than being stored on. */
  readonly used: ReadonlySet<number>;
  /** Byte offset in the static area of a constant vector. */
  constant(bits: bigint, wide: boolean): number;
  symbolConstant(name: string, offset: number): number;
  /** Module variables in constant memory. */
  readonly constantVariables: readonly { readonly name: string; readonly size: number }[];
  readonly parametersAt: number;
  readonly dynamicSharedAt: number;
  /** The engine multiplies and adds with one rounding. */
  readonly fuses: boolean;
  /** As a GPU computes when left out. */
  readonly arithmetic?: Arithmetic;
  /** Time of its block that is still to come behind an instruction that reads a clock. */
  readonly timesLeft: ReadonlyMap<ProgramInstruction, number>;
}

/** Address of a module variable in two 64-bit lanes. */
export function symbolAddress(kernel: KernelContext, name: string, offset: number): Wasm {
  return load("v128.load", getGlobal(globals.static), kernel.symbolConstant(name, offset));
}
