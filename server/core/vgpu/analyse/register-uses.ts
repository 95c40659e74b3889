import { isParameterSpace } from "../ptx/spaces";
import type { CodeBlock } from "./blocks";
import { terminatorReads } from "./liveness";
import type { ProgramInstruction } from "../flatten/program";
import { rolesOf } from "../flatten/roles";

/**
 * Registers whose values take part in something: all that are read but for those that are only stored on, as
 * a copy does.
 */
export function usedRegisters(blocks: readonly CodeBlock[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { instructions, terminator } of blocks) {
    for (const register of terminatorReads(terminator)) used.add(register);
    for (const instruction of instructions) for (const register of readsOf(instruction)) used.add(register);
  }
  return used;
}

function readsOf(instruction: ProgramInstruction): readonly number[] {
  const { traits, modifiers } = instruction.matched;
  const [address] = instruction.operands;
  // What goes to a function may be used there.
  const isCopy = traits.access === "store" && !isParameterSpace(modifiers["space"]);
  if (!isCopy) return rolesOf(instruction).reads;
  const base = address?.kind === "address" && address.base.kind === "register" ? [address.base.register] : [];
  return instruction.guard ? [...base, instruction.guard.register] : base;
}
