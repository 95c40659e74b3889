import { typeOf } from "../../vgpu/opcodes/table";
import type { PtxType } from "../../vgpu/ptx/types";
import {
  all,
  any,
  atLeast,
  below,
  type Condition,
  equal,
  negated,
  unequal,
  unknownCondition,
} from "../decide/condition";
import { exactly, type Step, zero } from "./machine";
import { conditionOf, valueOf } from "./operands";
import type { Form } from "../decide/form";
import type { Value } from "./state";

type Pair = readonly [Form, Form];

const orders: Readonly<Record<string, (a: Form, b: Form) => Condition>> = {
  eq: equal,
  ne: unequal,
  lt: below,
  le: (a, b) => atLeast(b, a),
  gt: (a, b) => below(b, a),
  ge: atLeast,
  lo: below,
  ls: (a, b) => atLeast(b, a),
  hi: (a, b) => below(b, a),
  hs: atLeast,
};

/** What a comparison of integers says (PTX ISA section 9.7.6, setp), combined as it says itself. */
export function comparison(step: Step): Condition {
  const { modifiers } = step.instruction.matched;
  const type = typeOf(step.instruction);
  if (type.count !== 1 || !["signed", "unsigned", "bits"].includes(type.kind)) return unknownCondition;
  const own = compared(step, String(modifiers.comparison), type);
  return modifiers.combine === undefined ? own : combined(step, own, modifiers.combine);
}

function combined(step: Step, own: Condition, how: string): Condition {
  const other = step.instruction.operands[3];
  const second =
    other?.kind === "register" || other?.kind === "negated" ? conditionOf(step, other.register) : undefined;
  if (second === undefined) return unknownCondition;
  const condition = other?.kind === "negated" ? negated(second) : second;
  if (how === "and") return all([own, condition]);
  return how === "or" ? any([own, condition]) : unknownCondition;
}

function compared(step: Step, how: string, type: PtxType): Condition {
  const [a, b] = [valueOf(step, step.instruction.operands[1]), valueOf(step, step.instruction.operands[2])];
  if (a === undefined || b === undefined) return unknownCondition;
  const order = orders[how];
  if (order === undefined) return unknownCondition;
  const same = readAs(step, type, [a, b]);
  if (same !== undefined) return order(...same);
  return isUnsigned(how, type) ? unsignedOf(step, how, [a, b]) : unknownCondition;
}

function isUnsigned(how: string, { kind }: PtxType): boolean {
  return kind === "unsigned" || ["lo", "ls", "hi", "hs"].includes(how);
}

/** Both operands as one type reads them; bits are read with or without a sign. */
function readAs(step: Step, type: PtxType, [a, b]: readonly [Value, Value]): Pair | undefined {
  const kinds = type.kind === "bits" ? (["signed", "unsigned"] as const) : [type.kind];
  for (const kind of kinds) {
    const read = { ...type, kind };
    const [x, y] = [exactly(step, a, read), exactly(step, b, read)];
    if (x !== undefined && y !== undefined) return [x, y];
  }
  return undefined;
}

/** An unsigned comparison of a number that may be negative, which is then above all others. */
function unsignedOf(step: Step, how: string, [a, b]: readonly [Value, Value]): Condition {
  const type = { ...typeOf(step.instruction), kind: "signed" } as const;
  const [x, y] = [exactly(step, a, type), exactly(step, b, type)];
  if (x === undefined || y === undefined || !step.machine.prover.holds(step.state, y))
    return unknownCondition;
  const isBelow = all([atLeast(x, zero), below(x, y)]);
  const isAtMost = all([atLeast(x, zero), atLeast(y, x)]);
  const answers: Readonly<Record<string, Condition>> = {
    ...{ lt: isBelow, lo: isBelow, le: isAtMost, ls: isAtMost },
    ...{ ge: negated(isBelow), hs: negated(isBelow), gt: negated(isAtMost), hi: negated(isAtMost) },
  };
  return answers[how] ?? unknownCondition;
}
