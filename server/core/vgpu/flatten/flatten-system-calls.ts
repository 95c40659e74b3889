import type { Instruction } from "../ptx/module";
import { types } from "../ptx/types";
import { type Draft, type Frame, addRegister, addSynthetic } from "./draft";
import { argumentStorage, giveResult, resultStorage } from "./call-values";
import type { CallParts } from "./function-facts";
import type { ProgramOperand } from "./program";
import { loadElement, refuse, scalarType, storeElement } from "./storage";

/**
 * Functions that the driver provides (CUDA C++ Programming Guide, device-side printf, malloc and assert):
 * bytes of their arguments and result.
 */
const systemFunctions: ReadonlyMap<string, { readonly sizes: readonly number[]; readonly result: number }> =
  new Map([
    ["vprintf", { sizes: [8, 8], result: 4 }],
    ["malloc", { sizes: [8], result: 8 }],
    ["free", { sizes: [8], result: 0 }],
    ["__assertfail", { sizes: [8, 8, 4, 8, 8], result: 0 }],
  ]);

/** True for the name of a function that no module has to define. */
export function isSystemFunction(name: string): boolean {
  return systemFunctions.has(name);
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
  const values = known.sizes.map((size, index): ProgramOperand => {
    const storage = argumentStorage(draft, frame, {
      operand: parts.arguments[index],
      size,
      like: instruction,
    });
    if (storage.kind !== "words") return refuse(instruction, `call ${name} (an argument in memory)`);
    const operand: ProgramOperand = {
      kind: "register",
      register: addRegister(draft, scalarType(instruction, size)),
    };
    loadElement(
      draft,
      storage,
      { like: instruction, type: scalarType(instruction, size), offset: 0 },
      operand,
    );
    return operand;
  });
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
