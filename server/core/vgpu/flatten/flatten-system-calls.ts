import { at } from "../../base/known";
import type { Instruction, PtxFunction } from "../ptx/module";
import { types } from "../ptx/types";
import { type Draft, type Frame, addRegister, addSynthetic } from "./draft";
import { argumentStorage, giveResult, resultStorage } from "./call-values";
import type { CallParts } from "./function-facts";
import { isDeviceRuntime, systemFunctions } from "../library/system";
import type { ProgramOperand, Words } from "./program";
import { copyStorage, loadElement, newWords, refuse, scalarType, storeElement } from "./storage";

/** True for the name of a function that no module has to define. */
export function isSystemFunction(name: string): boolean {
  return systemFunctions.has(name);
}

/** True for a call that is answered by the host, whatever body the module has for it. */
export function isAnswered(name: string, callee: PtxFunction | undefined): boolean {
  return callee?.hasBody !== true || isDeviceRuntime(name);
}

interface SystemCall {
  readonly name: string;
  readonly instruction: Instruction;
  readonly parts: CallParts;
}

/** A call of a function that the driver provides: arguments and result in registers. */
export function appendSystemCall(draft: Draft, frame: Frame, { name, instruction, parts }: SystemCall): void {
  const known = systemFunctions.get(name);
  if (!known) return refuse(instruction, `call ${name}`);
  draft.systemCalls.add(name);
  const storages = known.sizes.map((size, index): Words => {
    const operand = parts.arguments[index];
    const storage = argumentStorage(draft, frame, { operand, size, like: instruction });
    return storage.kind === "words" ? storage : refuse(instruction, `call ${name} (an argument in memory)`);
  });
  const values =
    known.packed === true
      ? packed(draft, instruction, { storages, sizes: known.sizes })
      : storages.map((storage, index) =>
          valueIn(draft, instruction, { storage, size: known.sizes[index] ?? 8, offset: 0 }),
        );
  const result: ProgramOperand =
    known.result === 0 ? { kind: "sink" } : { kind: "register", register: addRegister(draft, types.b64) };
  addSynthetic(draft, {
    like: instruction,
    family: "system-call",
    opcode: "call",
    modifiers: { name },
    operands: [result, ...values],
  });
  const [operand] = parts.results;
  if (known.result === 0 || !operand) return;
  const target = resultStorage(draft, frame, { operand, size: known.result, like: instruction });
  if (target.kind !== "words") return refuse(instruction, `call ${name} (a result in memory)`);
  storeElement(
    draft,
    target,
    { like: instruction, type: scalarType(instruction, known.result), offset: 0 },
    result,
  );
  giveResult(draft, frame, { operand, from: target, like: instruction, size: known.result });
}

interface Piece {
  readonly storage: Words;
  readonly size: number;
  readonly offset: number;
}

/** One scalar of a storage, in a register. */
function valueIn(draft: Draft, like: Instruction, { storage, size, offset }: Piece): ProgramOperand {
  const type = scalarType(like, size);
  const operand: ProgramOperand = { kind: "register", register: addRegister(draft, type) };
  loadElement(draft, storage, { like, type, offset }, operand);
  return operand;
}

/** Arguments of any size behind each other, in registers of 8 bytes. */
function packed(
  draft: Draft,
  like: Instruction,
  { storages, sizes }: { readonly storages: readonly Words[]; readonly sizes: readonly number[] },
): readonly ProgramOperand[] {
  const bytes = 8 * Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 8);
  const whole = newWords(draft, bytes);
  let first = 0;
  for (const [index, storage] of storages.entries()) {
    const count = at(sizes, index) / 4;
    const to: Words = {
      kind: "words",
      size: 4 * count,
      registers: whole.registers.slice(first, first + count),
    };
    copyStorage(draft, like, { from: storage, to, count });
    first += count;
  }
  return Array.from({ length: bytes / 8 }, (_, index) =>
    valueIn(draft, like, { storage: whole, size: 8, offset: 8 * index }),
  );
}
