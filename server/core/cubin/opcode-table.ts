import { invariant } from "../base/assert";
import table from "./opcodes.json";

/** What an instruction is for, coarse enough to read as a mix. */
export const instructionClasses = [
  "fp32", "fp16", "fp64", "integer", "conversion", "special", "move", "uniform", "tensor",
  "load-global", "store-global", "load-shared", "store-shared", "load-local", "store-local", "load-generic", "store-generic", "load-constant",
  "atomic-global", "atomic-shared", "atomic-generic", "async-copy", "texture", "surface", "warp", "barrier", "control", "unknown",
] as const;

export type InstructionClass = (typeof instructionClasses)[number];

export interface Operation {
  /** The mnemonic without modifiers, as the disassembler prints it; `OP_` and the number for one that is not in the table. */
  readonly name: string;
  readonly class: InstructionClass;
}

/** Lowest bits of an instruction that name its family; bits 9 to 11 name the form of its operands. */
export const opcodeCount = 512;

interface Row {
  readonly opcode: string;
  readonly name: string;
  readonly class: string;
  readonly from?: number;
  readonly until?: number;
}

function isInstructionClass(text: string): text is InstructionClass {
  return (instructionClasses as readonly string[]).includes(text);
}

function build(architecture: number): readonly Operation[] {
  const operations: Operation[] = Array.from({ length: opcodeCount }, (_, opcode) => ({ name: `OP_${opcode.toString(16).padStart(3, "0")}`, class: "unknown" }));
  for (const row of table.instructions as readonly Row[]) {
    if (architecture < (row.from ?? 0) || architecture >= (row.until ?? Infinity)) continue;
    invariant(isInstructionClass(row.class), `opcodes.json: ${row.name} has the unknown class ${row.class}`);
    operations[parseInt(row.opcode, 16)] = { name: row.name, class: row.class };
  }
  return operations;
}

const built = new Map<number, readonly Operation[]>();

/** The operation of each of the 512 families on an architecture (90 for sm_90). */
export function operationsOf(architecture: number): readonly Operation[] {
  const known = built.get(architecture) ?? build(architecture);
  built.set(architecture, known);
  return known;
}
