import table from "./instruction-families.json";

/** Instructions that a spec can require, by what they do; see instruction-families.json. */
export type InstructionFamily = keyof typeof table;

export const instructionFamilies = Object.keys(table) as readonly InstructionFamily[];

/** What a family does, and the machine instructions that it is recognised by, if it is by these. */
export function describeFamily(family: InstructionFamily): string {
  const { what, opcodes } = table[family];
  return opcodes.length === 0 ? what : `${what} (${opcodes.join(", ")})`;
}

/**
 * The families of a kernel by its machine instructions, named without modifiers. `ptx`: what it was assembled
 * from. Some families have to stand there as well: ptxas also makes constants with HFMA2.
 */
export function familiesOf(opcodes: Iterable<string>, ptx: string): readonly InstructionFamily[] {
  const found = new Set(opcodes);
  return instructionFamilies.filter((family) => {
    const entry: FamilyEntry = table[family];
    const isWritten = entry.written === undefined || new RegExp(entry.written).test(ptx);
    return isWritten && entry.opcodes.some((opcode) => found.has(opcode));
  });
}

interface FamilyEntry {
  readonly what: string;
  readonly opcodes: readonly string[];
  /** A regular expression for what the PTX has where the kernel means such instructions. */
  readonly written?: string;
}
