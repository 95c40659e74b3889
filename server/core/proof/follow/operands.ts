import type { ProgramOperand } from "../../vgpu/flatten/program";
import { always, type Condition, negated, unknownCondition } from "../decide/condition";
import { constantForm } from "../decide/form";
import { number, type Step } from "./machine";
import type { Value } from "./state";

/** The value of an operand; undefined for what is not followed. */
export function valueOf(step: Step, operand: ProgramOperand | undefined): Value | undefined {
  switch (operand?.kind) {
    case "register":
      return step.state.registers.get(operand.register);
    case "negated":
      return { kind: "predicate", condition: negated(conditionOf(step, operand.register)) };
    case "integer":
      return integerOf(operand.value);
    case "special": {
      const form = step.machine.specials.get(operand.name);
      return form && number(form);
    }
    case "place":
      return placeOf(step, operand);
    case "address": {
      const value = valueOf(step, operand.base);
      return value?.kind === "number"
        ? { ...value, form: { ...value.form, constant: value.form.constant + operand.offset } }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Literals of 64 bits stand for the number that they are as signed ones. */
function integerOf(value: bigint): Value | undefined {
  const plain = Number(BigInt.asIntN(64, value));
  return Number.isSafeInteger(plain) ? number(constantForm(plain)) : undefined;
}

function placeOf(
  { machine }: Step,
  place: Extract<ProgramOperand, { readonly kind: "place" }>,
): Value | undefined {
  if (place.frame !== undefined) return undefined;
  if (place.space === "shared") return number(constantForm(place.offset), machine.sharedRegion(place.offset));
  if (place.space === "dynamic-shared") return number(constantForm(place.offset), "dynamic-shared");
  if (place.space === "global") return number(constantForm(place.offset), `variable ${place.symbol}`);
  return undefined;
}

export function conditionOf({ state }: Pick<Step, "state">, register: number): Condition {
  const value = state.registers.get(register);
  return value?.kind === "predicate" ? value.condition : unknownCondition;
}

/** When an instruction takes place. */
export function guardOf(step: Step): Condition {
  const { guard } = step.instruction;
  if (guard === undefined) return always;
  const condition = conditionOf(step, guard.register);
  return guard.negated ? negated(condition) : condition;
}
