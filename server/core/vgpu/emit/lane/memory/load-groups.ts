import { invariant } from "../../../../base/assert";
import type { ProgramInstruction, ProgramOperand } from "../../../flatten/program";
import { readsParameters, rolesOf } from "../../../flatten/roles";
import { typeOf } from "../../../opcodes/table";
import type { LoadGroup } from "../../emitters/load-group";
import { spaceOf, vectorElements } from "../../emitters/memory-site";

/** Bytes that a group spans at most. */
const longestSpan = 65_536;

/** The groups of a segment's loads, by load. A guarded load is alone in its group: lanes may leave it out. */
export function groupLoads(
  instructions: readonly ProgramInstruction[],
): ReadonlyMap<ProgramInstruction, LoadGroup> {
  const groups = new Map<ProgramInstruction, LoadGroup>();
  const open = new Map<string, { -readonly [Field in keyof LoadGroup]: LoadGroup[Field] }>();
  const writes = new Map<number, number>();
  for (const instruction of instructions) {
    if (isLoad(instruction)) {
      const { key, offset, bytes } = placeOf(instruction, writes);
      const known = instruction.guard ? undefined : open.get(key);
      const low = Math.min(known?.low ?? offset, offset);
      const span = Math.max(known ? known.low + known.span : 0, offset + bytes) - low;
      if (known && span <= longestSpan) {
        Object.assign(known, { low, span, members: known.members + 1 });
        groups.set(instruction, known);
      } else {
        const group = { low: offset, span: bytes, members: 1, first: instruction };
        groups.set(instruction, group);
        if (!instruction.guard) open.set(key, group);
      }
    }
    for (const register of rolesOf(instruction).writes) writes.set(register, (writes.get(register) ?? 0) + 1);
  }
  return groups;
}

function isLoad(instruction: ProgramInstruction): boolean {
  return instruction.matched.family === "load" && !readsParameters(instruction);
}

/**
 * What the address counts from, told apart from the same register after a change, and the offset from there.
 */
function placeOf(
  instruction: ProgramInstruction,
  writes: ReadonlyMap<number, number>,
): { readonly key: string; readonly offset: number; readonly bytes: number } {
  const [d, address] = instruction.operands;
  invariant(address?.kind === "address", "a load that runs lane by lane has an address");
  const { base, offset } = address;
  const bytes = typeOf(instruction).bytes * vectorElements(d).length;
  // Members whose distance is no multiple of the access are not all aligned.
  const phase = ((offset % bytes) + bytes) % bytes;
  const key = [spaceOf(instruction, base), baseName(base, writes), bytes, phase].join(" ");
  return { key, offset, bytes };
}

function baseName(base: ProgramOperand, writes: ReadonlyMap<number, number>): string {
  if (base.kind === "register") return `r${base.register}.${writes.get(base.register) ?? 0}`;
  return base.kind === "place" ? `${base.space} ${base.symbol}+${base.offset}` : base.kind;
}
