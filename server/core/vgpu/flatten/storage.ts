import { wordsOf } from "../functions";
import type { Instruction, Parameter } from "../ptx/module";
import { typeBytes } from "../ptx/types";
import {
  type Draft,
  DraftRefusalError,
  type Frame,
  type Guard,
  addRegister,
  addSynthetic,
  placeLocal,
} from "./draft";
import type { Place, ProgramInstruction, ProgramOperand } from "./program";

/**
 * A parameter kept in registers, 32 bits each. Nothing but ld.param and st.param ever touches one, unless its
 * address is taken.
 */
export interface Words {
  readonly kind: "words";
  readonly registers: readonly number[];
  readonly size: number;
}

/** Where a variable of a function is: in memory or, for a parameter, in registers. */
export type Storage = Place | Words;

/** Parameters that are larger live in memory. */
const largestInRegisters = 512;
/** Parameters of one call, in bytes: more are refused as absurd. */
const largestParameter = 1 << 16;

type Like = Pick<Instruction, "location" | "ptxLine">;

export function newWords(draft: Draft, size: number): Words {
  return {
    kind: "words",
    size,
    registers: Array.from({ length: wordsOf({ size }) }, () => addRegister(draft, "b32")),
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
export interface Element {
  readonly like: Like;
  readonly type: string;
  readonly offset: number;
  readonly guard?: Guard;
}

function refuse(like: Like, what: string): never {
  throw new DraftRefusalError({ reason: `refused: ${what}`, location: like.location });
}

/** The registers that hold an element, which has to lie inside and at a multiple of its size. */
function locate(
  words: Words,
  { like, type, offset }: Element,
): { readonly bytes: number; readonly registers: readonly ProgramOperand[]; readonly shift: number } {
  const bytes = typeBytes(type) ?? 0;
  if (bytes === 0 || bytes > 8) return refuse(like, `a parameter of type ${type}`);
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
      modifiers: { type },
      operands: [to, { kind: "vector", elements: registers }],
      guard,
    });
  else if (bytes === 4)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "ld.param",
      modifiers: { type },
      operands: [to, word],
      guard,
    });
  else
    addSynthetic(draft, {
      like,
      family: "load-part",
      opcode: "ld.param",
      modifiers: { type, shift: String(shift) },
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
      modifiers: { type },
      operands: [{ kind: "vector", elements: registers }, value],
      guard,
    });
  else if (bytes === 4)
    addSynthetic(draft, {
      like,
      family: "move",
      opcode: "st.param",
      modifiers: { type },
      operands: [word, value],
      guard,
    });
  else
    addSynthetic(draft, {
      like,
      family: "store-part",
      opcode: "st.param",
      modifiers: { type, shift: String(shift) },
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
        ? { kind: "register" as const, register: addRegister(draft, "b32") }
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
  const [family, opcode] =
    source.kind === "address"
      ? ["load", "ld.local"]
      : target.kind === "address"
        ? ["store", "st.local"]
        : ["move", "mov"];
  addSynthetic(draft, {
    like,
    family,
    opcode,
    modifiers: family === "move" ? { type: "b32" } : { space: "local", type: "b32" },
    operands: [target, source],
  });
}

/** PTX type of a parameter that is passed as one value. */
export function scalarType(size: number): string {
  return `b${8 * size}`;
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
  const isLoad = entry.matched.family === "load";
  if (!isLoad && entry.matched.family !== "store") return false;
  const address = instruction.operands[isLoad ? 1 : 0];
  const value = entry.operands[isLoad ? 0 : 1];
  const words =
    address?.kind === "address" && address.base.kind === "symbol"
      ? frame.names.get(address.base.name)
      : undefined;
  if (words?.kind !== "words" || address?.kind !== "address" || !value) return false;
  const type = entry.matched.modifiers["type"] ?? "b32";
  const elements = value.kind === "vector" ? value.elements : [value];
  elements.forEach((element, index) => {
    const part = {
      like: entry,
      type,
      offset: address.offset + index * (typeBytes(type) ?? 4),
      guard: entry.guard,
    };
    if (isLoad) loadElement(draft, words, part, element);
    else storeElement(draft, words, part, element);
  });
  return true;
}
