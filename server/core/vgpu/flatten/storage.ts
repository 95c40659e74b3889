import { typeOf } from "../opcodes/table";
import { wordsOf } from "../functions";
import type { Instruction, Parameter } from "../ptx/module";
import { type PtxType, findType, types } from "../ptx/types";
import {
  type Draft,
  DraftRefusalError,
  type Frame,
  type Guard,
  addRegister,
  addSynthetic,
  placeLocal,
} from "./draft";
import type { ProgramInstruction, ProgramOperand, Storage, Words } from "./program";

/** Parameters that are larger live in memory. */
const largestInRegisters = 512;
/** Parameters of one call, in bytes: more are refused as absurd. */
const largestParameter = 1 << 16;

type Like = Pick<Instruction, "location" | "ptxLine">;

export function newWords(draft: Draft, size: number): Words {
  return {
    kind: "words",
    size,
    registers: Array.from({ length: wordsOf({ size }) }, () => addRegister(draft, types.b32)),
  };
}

/** Room for a parameter: registers, or memory when its address is taken or it is large. */
export function newStorage(
  draft: Draft,
  parameter: Pick<Parameter, "name" | "size" | "align">,
  addressed: boolean,
): Storage {
  const { size, align, name } = parameter;
  if (size > largestParameter)
    throw new DraftRefusalError({
      reason: `refused: the parameter ${name} has more than ${largestParameter} bytes`,
    });
  return addressed || size > largestInRegisters
    ? placeLocal(draft, 4 * wordsOf(parameter), Math.max(align, 8))
    : newWords(draft, size);
}

/** One element of a parameter: its type and its byte offset. */
interface Element {
  readonly like: Like;
  readonly type: PtxType;
  readonly offset: number;
  readonly guard?: Guard;
}

/** Ends the flattening: the program has something there that is not implemented. */
export function refuse(like: Pick<Like, "location">, what: string): never {
  throw new DraftRefusalError({ reason: `refused: ${what}`, location: like.location });
}

/** The registers that hold an element, which has to lie inside and at a multiple of its size. */
function locate(
  words: Words,
  { like, type, offset }: Element,
): { readonly bytes: number; readonly registers: readonly ProgramOperand[]; readonly shift: number } {
  const { bytes } = type;
  if (bytes > 8) return refuse(like, `a parameter of type ${type.name}`);
  if (offset < 0 || offset + bytes > 4 * words.registers.length)
    return refuse(like, "an access behind the end of a parameter");
  if (offset % bytes !== 0) return refuse(like, "a misaligned access to a parameter");
  const first = offset >> 2;
  const registers = words.registers
    .slice(first, first + Math.max(1, bytes / 4))
    .map((register): ProgramOperand => ({ kind: "register", register }));
  return { bytes, registers, shift: 8 * (offset & 3) };
}

/** ld.param (PTX ISA section 9.7.9.8) of one element from registers. */
export function loadElement(draft: Draft, words: Words, element: Element, to: ProgramOperand): void {
  const { bytes, registers, shift } = locate(words, element);
  const { like, type, guard } = element;
  const [word] = registers;
  if (!word || to.kind === "sink") return;
  if (bytes === 8)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "ld.param",
      types: { type },
      operands: [to, { kind: "vector", elements: registers }],
      guard,
    });
  else if (bytes === 4)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "ld.param",
      types: { type },
      operands: [to, word],
      guard,
    });
  else
    addSynthetic(draft, {
      like,
      family: "load-part",
      opcode: "ld.param",
      modifiers: { shift },
      types: { type },
      operands: [to, word],
      guard,
    });
}

/** st.param (PTX ISA section 9.7.9.11) of one element into registers. */
export function storeElement(draft: Draft, words: Words, element: Element, value: ProgramOperand): void {
  const { bytes, registers, shift } = locate(words, element);
  const { like, type, guard } = element;
  const [word] = registers;
  if (!word) return;
  if (bytes === 8)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "st.param",
      types: { type },
      operands: [{ kind: "vector", elements: registers }, value],
      guard,
    });
  else if (bytes === 4)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "st.param",
      types: { type },
      operands: [word, value],
      guard,
    });
  else
    addSynthetic(draft, {
      like,
      family: "store-part",
      opcode: "st.param",
      modifiers: { shift },
      types: { type },
      operands: [word, value, word],
      guard,
    });
}

/** Copies the first `count` words of a parameter. */
export function copyStorage(
  draft: Draft,
  like: Like,
  { from, to, count }: { readonly from: Storage; readonly to: Storage; readonly count: number },
): void {
  for (let index = 0; index < count; index += 1) {
    const source = wordOperand(from, index);
    const target = wordOperand(to, index);
    if (!source || !target) return refuse(like, "an argument that is smaller than the parameter");
    const through =
      source.kind === "address" && target.kind === "address"
        ? { kind: "register" as const, register: addRegister(draft, types.b32) }
        : undefined;
    if (through) copyWord(draft, like, source, through);
    copyWord(draft, like, through ?? source, target);
  }
}

function wordOperand(storage: Storage, index: number): ProgramOperand | undefined {
  if (storage.kind === "place") return { kind: "address", base: storage, offset: 4 * index };
  const register = storage.registers[index];
  return register === undefined ? undefined : { kind: "register", register };
}

function copyWord(draft: Draft, like: Like, source: ProgramOperand, target: ProgramOperand): void {
  const added = { like, types: { type: types.b32 }, operands: [target, source] };
  const modifiers = { space: "local" } as const;
  if (source.kind === "address")
    addSynthetic(draft, { ...added, family: "load", opcode: "ld.local", modifiers });
  else if (target.kind === "address")
    addSynthetic(draft, { ...added, family: "store", opcode: "st.local", modifiers });
  else addSynthetic(draft, { ...added, family: "move", opcode: "mov" });
}

/** The type of a parameter that is passed as one value; more than 16 bytes, or 3, are no value. */
export function scalarType(like: Like, size: number): PtxType {
  return findType(`b${8 * size}`) ?? refuse(like, `a parameter of type b${8 * size}`);
}

/**
 * Replaces a load from or store to a parameter in registers; false when the instruction is no such access.
 * `matched` says which elements.
 */
export function appendParameterAccess(
  draft: Draft,
  frame: Frame,
  instruction: Instruction,
  entry: ProgramInstruction,
): boolean {
  const { access } = entry.matched.traits;
  if (access !== "load" && access !== "store") return false;
  const isLoad = access === "load";
  const address = instruction.operands[isLoad ? 1 : 0];
  const value = entry.operands[isLoad ? 0 : 1];
  const words =
    address?.kind === "address" && address.base.kind === "symbol"
      ? frame.names.get(address.base.name)
      : undefined;
  if (words?.kind !== "words" || address?.kind !== "address" || !value) return false;
  const type = typeOf(entry);
  const elements = value.kind === "vector" ? value.elements : [value];
  elements.forEach((element, index) => {
    const part = {
      like: entry,
      type,
      offset: address.offset + index * type.bytes,
      guard: entry.guard,
    };
    if (isLoad) loadElement(draft, words, part, element);
    else storeElement(draft, words, part, element);
  });
  return true;
}
