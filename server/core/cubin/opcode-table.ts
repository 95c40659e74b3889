import { invariant } from "../base/assert";
import table from "./opcodes.json";

/** What an instruction is for, coarse enough to read as a mix. */
export const instructionClasses = [
  "fp32",
  "fp16",
  "fp64",
  "integer",
  "conversion",
  "special",
  "move",
  "uniform",
  "tensor",
  "load-global",
  "store-global",
  "load-shared",
  "store-shared",
  "load-local",
  "store-local",
  "load-generic",
  "store-generic",
  "load-constant",
  "atomic-global",
  "atomic-shared",
  "atomic-generic",
  "async-copy",
  "texture",
  "surface",
  "warp",
  "barrier",
  "control",
  "unknown",
] as const;

export type InstructionClass = (typeof instructionClasses)[number];

export interface Operation {
  /**
   * The mnemonic without modifiers, as the disassembler prints it; `OP_` and the number for one that is not
   * in the table.
   */
  readonly name: string;
  readonly class: InstructionClass;
  /** Bytes of each lane's access, where the operation itself says it. */
  readonly width?: number;
  /** Lanes with one address are counted and take one turn together (ATOMS.POPC.INC). */
  readonly joinsLanes?: boolean;
}

/** The lowest nine bits of an instruction name its family, the three above them the form of its operands. */
const familyCount = 512;
const formCount = 8;

interface Row {
  readonly opcode: string;
  readonly name: string;
  readonly class: string;
  /** Only for instructions whose name depends on the form as well. */
  readonly form?: number;
  readonly width?: number;
  readonly joinsLanes?: boolean;
  readonly from?: number;
  readonly until?: number;
}

function isInstructionClass(text: string): text is InstructionClass {
  return (instructionClasses as readonly string[]).includes(text);
}

function build(architecture: number): readonly Operation[] {
  const operations: Operation[] = Array.from({ length: familyCount * formCount }, (_, opcode) => ({
    name: `OP_${(opcode % familyCount).toString(16).padStart(3, "0")}`,
    class: "unknown",
  }));
  for (const row of table.instructions as readonly Row[]) {
    if (architecture < (row.from ?? 0) || architecture >= (row.until ?? Infinity)) continue;
    invariant(isInstructionClass(row.class), `opcodes.json: ${row.name} has the unknown class ${row.class}`);
    const operation: Operation = {
      name: row.name,
      class: row.class,
      ...(row.width === undefined ? {} : { width: row.width }),
      ...(row.joinsLanes === true && { joinsLanes: true }),
    };
    const forms = row.form === undefined ? Array.from({ length: formCount }, (_, form) => form) : [row.form];
    for (const form of forms) operations[parseInt(row.opcode, 16) + form * familyCount] = operation;
  }
  return operations;
}

const built = new Map<number, readonly Operation[]>();

/**
 * The operation of each value of the lowest twelve bits on an architecture (90 for sm_90). Rows of the table
 * override those before them.
 */
export function operationsOf(architecture: number): readonly Operation[] {
  const known = built.get(architecture) ?? build(architecture);
  built.set(architecture, known);
  return known;
}
