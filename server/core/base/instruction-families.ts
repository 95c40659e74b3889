import table from "./instruction-families.json";

/** Instructions that a spec can require, by what they do; see instruction-families.json. */
export type InstructionFamily = keyof typeof table;

export const instructionFamilies = Object.keys(table) as readonly InstructionFamily[];

/** What a family does, and the machine instructions that it is recognised by, if it is by these. */
export function describeFamily(family: InstructionFamily): string {
  const { what, opcodes } = table[family];
  return opcodes.length === 0 ? what : `${what} (${opcodes.join(", ")})`;
}

/** The families of machine instructions by their names without modifiers. */
export function familiesOf(opcodes: Iterable<string>): readonly InstructionFamily[] {
  const found = new Set(opcodes);
  return instructionFamilies.filter((family) =>
    table[family].opcodes.some((opcode: string) => found.has(opcode)),
  );
}
