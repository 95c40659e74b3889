import { functionAddress } from "../functions";
import { traitsOf } from "../opcodes/families";
import type { Matched } from "../opcodes/table";
import type { Instruction, Operand, PtxFunction, Variable } from "../ptx/module";
import {
  type Draft,
  DraftRefusalError,
  type Frame,
  addRegisters,
  place,
  placeLocal,
  placeShared,
  reservedShared,
} from "./draft";
import { factsOf } from "./function-facts";
import type { Place, ProgramOperand } from "./program";
import { newStorage } from "./storage";

/** Gives a function's registers and variables their places. */
export function openFrame(
  draft: Draft,
  body: PtxFunction,
  names: Frame["names"],
  returnLabel: string | undefined,
): Frame {
  draft.instances += 1;
  const frame: Frame = {
    names,
    firstRegister: addRegisters(draft, body.registers),
    operands: [],
    labelSuffix: draft.instances === 1 ? "" : `@${draft.instances}`,
    ...(returnLabel === undefined ? {} : { returnLabel }),
  };
  const { addressed } = factsOf(draft.module, body);
  for (const variable of body.variables) {
    names.set(
      variable.name,
      variable.space === "param"
        ? newStorage(draft, variable, addressed.has(variable.name))
        : placeVariable(draft, variable),
    );
  }
  return frame;
}

function placeVariable(draft: Draft, variable: Variable): Place {
  if (variable.space === "shared") {
    return variable.size === 0 ? place("dynamic-shared", 0) : place("shared", placeShared(draft, variable));
  }
  if (variable.initial || variable.space === "global" || variable.space === "const") {
    throw new DraftRefusalError({
      reason: `refused: initialised variable ${variable.name} inside of a function`,
    });
  }
  return placeLocal(draft, variable.size, Math.max(variable.align, 8));
}

/** The instruction as a branch, which `ret` becomes in a function. */
export function jump(instruction: Instruction): Matched {
  return {
    instruction: { ...instruction, opcode: "bra", modifiers: [] },
    family: "branch",
    traits: traitsOf.branch,
    modifiers: {},
    types: {},
    carry: undefined,
  };
}

/** Resolves the names of an operand and numbers its registers. */
export function resolve(draft: Draft, frame: Frame, operand: Operand): ProgramOperand {
  switch (operand.kind) {
    case "register":
      return (frame.operands[operand.register] ??= {
        kind: "register",
        register: operand.register + frame.firstRegister,
      });
    case "negated":
      return { kind: "negated", register: operand.register + frame.firstRegister };
    case "symbol":
      return resolveSymbol(draft, frame, operand);
    case "address":
      return { kind: "address", base: resolve(draft, frame, operand.base), offset: operand.offset };
    case "vector":
    case "list":
      return {
        kind: operand.kind,
        elements: operand.elements.map((element) => resolve(draft, frame, element)),
      };
    case "pair":
      return {
        kind: "pair",
        first: resolve(draft, frame, operand.first),
        second: resolve(draft, frame, operand.second),
      };
    case "special":
      return reservedShared(draft, operand.name) ?? operand;
    default:
      return operand;
  }
}

function resolveSymbol(
  draft: Draft,
  frame: Frame,
  { name, offset }: { readonly name: string; readonly offset: number },
): ProgramOperand {
  const local = frame.names.get(name);
  if (local?.kind === "place") return { ...local, offset: local.offset + offset };
  const variable = draft.module.variables.get(name);
  if (!variable) return codeAddress(draft, name) ?? { kind: "label", name: name + frame.labelSuffix };
  if (variable.space === "shared") {
    return variable.size === 0
      ? place("dynamic-shared", offset)
      : place("shared", placeShared(draft, variable) + offset);
  }
  draft.symbols.add(name);
  return place("global", offset, name);
}

/** A function's address is the same number in every lane and every launch. */
function codeAddress(draft: Draft, name: string): ProgramOperand | undefined {
  const address = functionAddress(draft.module, name);
  return address === undefined ? undefined : { kind: "integer", value: address };
}
