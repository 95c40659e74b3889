import { type PtxType, types } from "../ptx/types";
import { type Family, traitsOf } from "../opcodes/families";
import type { Modifiers } from "../opcodes/modifiers";
import type { InstructionTypes } from "../opcodes/table";
import type { Instruction, PtxFunction, PtxModule, Variable } from "../ptx/module";
import type { CallGraph } from "./call-graph";
import type {
  CalledFrom,
  LocatedRefusal,
  Place,
  Program,
  ProgramInstruction,
  ProgramOperand,
  ProgramStep,
  Storage,
} from "./program";
import { alignUp } from "../numbers";

/** A program while it is put together. */
export interface Draft {
  readonly module: PtxModule;
  readonly graph: CallGraph;
  readonly steps: ProgramStep[];
  readonly registers: PtxType[];
  readonly pinned: Set<number>;
  readonly tables: Map<string, readonly string[]>;
  readonly symbols: Set<string>;
  readonly shared: Map<string, number>;
  readonly pointers: Map<string, readonly { readonly number: number; readonly label: string }[]>;
  readonly systemCalls: Set<string>;
  /** Registers through which arguments and results of calls go, a 32-bit word each. */
  readonly mailbox: { readonly arguments: number[]; readonly results: number[] };
  /** The register that stands for the condition code's carry bit. */
  readonly carry: number;
  localBytes: number;
  sharedBytes: number;
  /** Of the kernel's parameters. */
  readonly parameterBytes: number;
  instances: number;
  /** Of the procedure that is being appended. */
  activation: Activation;
  /** The call of the function that is being put in line. */
  calledFrom?: CalledFrom | undefined;
  /** Appends the statements of a function that is put in line. */
  readonly append: (frame: Frame, body: PtxFunction) => void;
}

/** Local memory of the procedure that is being appended. */
interface Activation {
  /** Register with the start of the frame; without one the locals have fixed places. */
  readonly frame?: number;
  frameBytes: number;
}

/** One function, put in line or as a procedure, while its statements are appended. */
export interface Frame {
  readonly names: Map<string, Storage>;
  readonly firstRegister: number;
  /** Operands by the function's own numbers, once one is met. */
  readonly operands: ProgramOperand[];
  readonly labelSuffix: string;
  /** Where `ret` goes; undefined in the kernel itself. */
  readonly returnLabel?: string;
}

/** Carries a refusal out of nested functions to `flattenProgram`, which returns it as a value. */
export class DraftRefusalError extends Error {
  override readonly name = "DraftRefusalError";
  constructor(readonly refusal: LocatedRefusal) {
    super(refusal.reason);
  }
}

/** Longer kernels are refused as absurd; the longest that compilers made for us has a tenth of it. */
const maximumSteps = 100_000;
/** Registers of all functions put in line. */
const maximumRegisters = 2_000_000;

export function place(space: Place["space"], offset: number, symbol = ""): Place {
  return { kind: "place", space, offset, symbol };
}

export function placeShared(draft: Draft, variable: Variable): number {
  const known = draft.shared.get(variable.name);
  if (known !== undefined) return known;
  const offset = alignUp(draft.sharedBytes, variable.align);
  draft.sharedBytes = offset + variable.size;
  draft.shared.set(variable.name, offset);
  return offset;
}

const reservedName = "%reserved_smem";
/**
 * Bytes of the reserved part of shared memory; what the system keeps for the first of its users lies before
 * what it keeps for the second.
 */
const reservedBytes = 1024;
const reservedOffsets: ReadonlyMap<string, number> = new Map([
  ["%reserved_smem_offset_begin", 0],
  ["%reserved_smem_offset_0", 0],
  ["%reserved_smem_offset_1", reservedBytes / 2],
  ["%reserved_smem_offset_end", reservedBytes],
]);

/**
 * Shared memory that the system gives to every block (PTX ISA section 10, "%reserved_smem_offset_begin");
 * cooperative groups keep the barriers and the mail of tiles of several warps there. A kernel gets it when it
 * asks where it is.
 */
export function reservedShared(draft: Draft, name: string): ProgramOperand | undefined {
  if (name === "%reserved_smem_offset_cap") return { kind: "integer", value: BigInt(reservedBytes) };
  const offset = reservedOffsets.get(name);
  if (offset === undefined) return undefined;
  return place(
    "shared",
    placeShared(draft, {
      name: reservedName,
      space: "shared",
      align: 16,
      size: reservedBytes,
      references: [],
    }) + offset,
  );
}

/** Where the reserved part of shared memory lies in a kernel that has asked for it. */
export function reservedRange(draft: Draft): Program["reservedShared"] {
  const at = draft.shared.get(reservedName);
  return at === undefined ? undefined : { at, bytes: reservedBytes };
}

/** Local memory for a variable: in the frame of the procedure, or at a fixed place. */
export function placeLocal(draft: Draft, size: number, align: number): Place {
  const { activation } = draft;
  const { frame } = activation;
  if (frame === undefined) {
    const offset = alignUp(draft.localBytes, align);
    draft.localBytes = offset + size;
    return place("local", offset);
  }
  const offset = alignUp(activation.frameBytes, align);
  activation.frameBytes = offset + size;
  return { ...place("local", offset), frame };
}

export function addRegister(draft: Draft, type: PtxType): number {
  return draft.registers.push(type) - 1;
}

/** Numbers the registers of a function behind those that there are; returns the first number. */
export function addRegisters(draft: Draft, types: readonly PtxType[]): number {
  const first = draft.registers.length;
  if (first + types.length > maximumRegisters)
    throw new DraftRefusalError({ reason: `refused: more than ${maximumRegisters} registers` });
  for (const type of types) draft.registers.push(type);
  return first;
}

export function addStep(draft: Draft, step: ProgramStep): void {
  if (draft.steps.length > maximumSteps)
    throw new DraftRefusalError({ reason: `refused: more than ${maximumSteps} instructions after inlining` });
  draft.steps.push(step);
}

/** Appends an instruction; operands that count from the procedure's frame become registers. */
export function addInstruction(draft: Draft, instruction: ProgramInstruction): void {
  const { calledFrom } = draft;
  const relocated = relocate(draft, instruction);
  addStep(draft, { kind: "instruction", instruction: calledFrom ? { ...relocated, calledFrom } : relocated });
}

export type Guard = ProgramInstruction["guard"];

/** An instruction that the compiler adds on behalf of `like`. */
interface Added {
  readonly like: Pick<Instruction, "location" | "ptxLine">;
  readonly family: Family;
  readonly opcode: string;
  readonly modifiers?: Modifiers;
  readonly types?: InstructionTypes;
  readonly operands: readonly ProgramOperand[];
  readonly guard?: Guard;
}

/** The instruction that `added` describes. Its opcode is its name in messages. */
export function synthesize({
  like: { location, ptxLine },
  family,
  opcode,
  modifiers = {},
  types: named = {},
  operands,
  guard,
}: Added): ProgramInstruction {
  const instruction: Instruction = { opcode, modifiers: [], operands: [], location, ptxLine };
  return {
    matched: { instruction, family, traits: traitsOf[family], modifiers, types: named, carry: undefined },
    operands,
    guard,
    location,
    ptxLine,
  };
}

export function addSynthetic(draft: Draft, added: Added): void {
  addInstruction(draft, synthesize(added));
}

/** True for a local variable in a frame, or an address of one. */
function isInFrame(operand: ProgramOperand): boolean {
  const place = operand.kind === "address" ? operand.base : operand;
  return place.kind === "place" && place.frame !== undefined;
}

function relocate(draft: Draft, instruction: ProgramInstruction): ProgramInstruction {
  if (!instruction.operands.some(isInFrame)) return instruction;
  let inAddress = false;
  const operands = instruction.operands.map((operand): ProgramOperand => {
    if (operand.kind === "place" && operand.frame !== undefined)
      return addressOf(draft, instruction, operand, operand.frame);
    if (operand.kind !== "address" || operand.base.kind !== "place" || operand.base.frame === undefined)
      return operand;
    inAddress = true;
    return {
      ...operand,
      base: { kind: "register", register: operand.base.frame },
      offset: operand.base.offset + operand.offset,
    };
  });
  const { matched } = instruction;
  return {
    ...instruction,
    operands,
    ...(inAddress ? { matched: { ...matched, modifiers: { ...matched.modifiers, space: "local" } } } : {}),
  };
}

function addressOf(draft: Draft, like: ProgramInstruction, { offset }: Place, frame: number): ProgramOperand {
  const register = addRegister(draft, types.b64);
  addSynthetic(draft, {
    like,
    family: "integer-add",
    opcode: "add",
    types: { type: types.u64 },
    operands: [
      { kind: "register", register },
      { kind: "register", register: frame },
      { kind: "integer", value: BigInt(offset) },
    ],
  });
  return { kind: "register", register };
}
