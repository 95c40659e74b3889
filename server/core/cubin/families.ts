import type { FunctionCode } from "./cubin";
import table from "./families.json";

/** Instructions that a spec can require, by what they do; see families.json. */
export type InstructionFamily = keyof typeof table;

export const instructionFamilies = Object.keys(table) as readonly InstructionFamily[];

/** What a family does, and the machine instructions that it is recognised by. */
export function describeFamily(family: InstructionFamily): string {
  const { what, opcodes } = table[family];
  return `${what} (${opcodes.join(", ")})`;
}

/** The families that stand in machine code; whether they are executed is another question. */
export function familiesOf(code: readonly FunctionCode[]): readonly InstructionFamily[] {
  const found = new Set(code.flatMap(({ lines }) => lines.flatMap(({ opcodes }) => Object.keys(opcodes))));
  return instructionFamilies.filter((family) => table[family].opcodes.some((opcode) => found.has(opcode)));
}
