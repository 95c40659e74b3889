import { at } from "../../base/known";
import { type PtxType, isWide, registerType } from "../ptx/types";
import type { CodeBlock } from "./blocks";
import type { ProgramOperand } from "../flatten/program";
import { rolesOf } from "../flatten/roles";
import type { Spin } from "./spinning";

/** What the lanes that wait in a block of code look at. */
export interface WaitingPlace {
  readonly address: Extract<ProgramOperand, { kind: "address" }>;
  /**
   * Byte offset in a warp's block of the register that the address counts from, when it is known at the start
   * of the code block.
   */
  readonly slot?: number;
  readonly wide: boolean;
}

/**
 * Of each block of code in which lanes may wait: the address that the first of its observing instructions
 * looks at.
 */
export function findWaitingPlaces(
  blocks: readonly CodeBlock[],
  spins: ReadonlyMap<number, Spin>,
  plan: { readonly registers: readonly PtxType[]; slotOf(register: number): number },
): ReadonlyMap<number, WaitingPlace> {
  const places = new Map<number, WaitingPlace>();
  for (const [index, { observed }] of spins) {
    const [first] = observed;
    const address = first?.operands.find(
      (operand): operand is WaitingPlace["address"] => operand.kind === "address",
    );
    if (!first || !address) continue;
    const { base } = address;
    if (base.kind !== "register") {
      places.set(index, { address, wide: false });
      continue;
    }
    const { instructions } = at(blocks, index);
    // What the block computes before it looks is not known while its lanes wait at the start.
    const isComputed = instructions
      .slice(0, instructions.indexOf(first))
      .some((instruction) => rolesOf(instruction).writes.includes(base.register));
    const wide = isWide(registerType(plan.registers, base.register));
    places.set(index, { address, wide, ...(isComputed ? {} : { slot: plan.slotOf(base.register) }) });
  }
  return places;
}
