import { types } from "../ptx/types";
import { wordsOf } from "../functions";
import type { Instruction, Operand, Parameter, PtxFunction } from "../ptx/module";
import { type Draft, DraftRefusalError, type Frame, addRegister } from "./draft";
import { resolve } from "./frames";
import type { ProgramOperand, Storage, Words } from "./program";
import { copyStorage, loadElement, newStorage, newWords, refuse, scalarType, storeElement } from "./storage";

type Like = Pick<Instruction, "location" | "ptxLine">;

/** Words of parameters and results of one call: more are refused as absurd. */
const maximumWords = 1024;

/** The registers through which words go from a caller to a function (`arguments`) or back. */
export function mailboxWords(
  draft: Draft,
  kind: "arguments" | "results",
  { first, size }: { readonly first: number; readonly size: number },
): Words {
  const end = first + wordsOf({ size });
  if (end > maximumWords)
    throw new DraftRefusalError({
      reason: `refused: call (more than ${4 * maximumWords} bytes of parameters)`,
    });
  const list = draft.mailbox[kind];
  while (list.length < end) {
    const register = addRegister(draft, types.b32);
    draft.pinned.add(register);
    list.push(register);
  }
  return { kind: "words", registers: list.slice(first, end), size };
}

/** Bytes that a storage holds at least; memory has been laid out for its variable. */
export function sizeOf(storage: Storage): number {
  return storage.kind === "words" ? 4 * storage.registers.length : Infinity;
}

/** An argument or a result where a call stands. */
interface Passed {
  readonly operand: Operand | undefined;
  readonly size: number;
  readonly like: Instruction;
}

/** Where an argument is. One that is a register or a number is brought into words. */
export function argumentStorage(draft: Draft, frame: Frame, { operand, size, like }: Passed): Storage {
  if (!operand) return refuse(like, "call (an argument is missing)");
  const named = operand.kind === "symbol" ? frame.names.get(operand.name) : undefined;
  if (named)
    return named.kind === "place" && named.space !== "local"
      ? refuse(like, "call (arguments not in .param variables)")
      : named;
  if (operand.kind !== "register" && operand.kind !== "integer" && operand.kind !== "float")
    return refuse(like, "call (arguments not in .param variables)");
  const words = newWords(draft, size);
  storeElement(
    draft,
    words,
    { like, type: scalarType(like, size), offset: 0 },
    resolve(draft, frame, operand),
  );
  return words;
}

/** Where a result goes; for a register words in between. */
export function resultStorage(draft: Draft, frame: Frame, { operand, size, like }: Passed): Storage {
  const named = operand?.kind === "symbol" ? frame.names.get(operand.name) : undefined;
  if (named?.kind === "words" || (named?.kind === "place" && named.space === "local")) return named;
  if (
    operand === undefined ||
    operand.kind === "sink" ||
    operand.kind === "register" ||
    (operand.kind === "symbol" && operand.name === "_")
  )
    return newWords(draft, size);
  return refuse(like, "call (result not in a .param variable)");
}

/** Moves a result that was asked for in a register there. */
export function giveResult(
  draft: Draft,
  frame: Frame,
  { operand, from, like, size }: Passed & { readonly from: Storage },
): void {
  if (operand?.kind !== "register" || from.kind !== "words") return;
  loadElement(draft, from, { like, type: scalarType(like, size), offset: 0 }, resolve(draft, frame, operand));
}

interface Binding {
  readonly formal: Parameter;
  readonly source: Storage;
  readonly like: Like;
  readonly addressed: boolean;
}

/** Copies an argument to the function's own parameter: a register, registers or memory. */
export function bindFormal(draft: Draft, frame: Frame, { formal, source, like, addressed }: Binding): void {
  const own =
    formal.register !== undefined ? newWords(draft, formal.size) : newStorage(draft, formal, addressed);
  copyStorage(draft, like, { from: source, to: own, count: wordsOf(formal) });
  if (formal.register === undefined) frame.names.set(formal.name, own);
  else if (own.kind === "words")
    loadElement(
      draft,
      own,
      { like, type: formal.type, offset: 0 },
      { kind: "register", register: formal.register + frame.firstRegister },
    );
}

/** Copies a procedure's results to the mailbox; the registers there. */
export function returnResults(draft: Draft, frame: Frame, body: PtxFunction, like: Like): ProgramOperand[] {
  const registers: ProgramOperand[] = [];
  let word = 0;
  for (const formal of body.results) {
    const target = mailboxWords(draft, "results", { first: word, size: formal.size });
    const own = frame.names.get(formal.name);
    if (formal.register !== undefined) {
      storeElement(
        draft,
        target,
        { like, type: formal.type, offset: 0 },
        { kind: "register", register: formal.register + frame.firstRegister },
      );
    } else if (own) copyStorage(draft, like, { from: own, to: target, count: target.registers.length });
    registers.push(...target.registers.map((register): ProgramOperand => ({ kind: "register", register })));
    word += target.registers.length;
  }
  return registers;
}
