import { invariant } from "../../base/assert";
import { type PtxType, isWide, registerType } from "../ptx/types";
import type { CodeBlock } from "./blocks";

/**
 * What a call takes of its thread's call stack: the block to come back to stands in the last 8 bytes, the
 * registers that it keeps below.
 */
interface CallRecord {
  readonly bytes: number;
  readonly places: readonly { readonly register: number; readonly size: 32 | 64; readonly below: number }[];
}

/** The record of a call that keeps these registers; `registers`: the type of each register of the program. */
export function callRecord(saved: readonly number[], registers: readonly PtxType[]): CallRecord {
  let below = 8;
  const places = saved.map((register) => {
    const size = isWide(registerType(registers, register)) ? 64 : 32;
    below += size === 64 ? 8 : 4;
    return { register, size: size as 32 | 64, below };
  });
  return { bytes: Math.ceil(below / 8) * 8, places };
}

/**
 * Of the blocks of code that calls come back to: the block that ends in the call, and how many bytes its
 * record takes.
 */
export type CallReturns = ReadonlyMap<number, { readonly block: number; readonly bytes: number }>;

/** Finds where the calls of a program come back to. */
export function findCallReturns(
  blocks: readonly CodeBlock[],
  saved: ReadonlyMap<number, readonly number[]>,
  registers: readonly PtxType[],
): CallReturns {
  const returns = new Map<number, { readonly block: number; readonly bytes: number }>();
  blocks.forEach(({ terminator }, block) => {
    if (terminator.kind !== "call") return;
    const kept = saved.get(block);
    invariant(kept, "each call has the list of registers that it keeps");
    returns.set(terminator.next, { block, bytes: callRecord(kept, registers).bytes });
  });
  return returns;
}
