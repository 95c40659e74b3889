import { typeOf } from "../../vgpu/opcodes/table";
import type { PtxType } from "../../vgpu/ptx/types";
import { all, any, atLeast, type Condition, equal, negated } from "../decide/condition";
import {
  constantForm,
  type Form,
  isConstant,
  keyOf,
  minus,
  plus,
  product,
  scaled,
  shifted,
} from "../decide/form";
import { exactly, moved, number, rangeOf, type Step } from "./machine";
import { conditionOf, valueOf } from "./operands";
import { shiftedUpperHalf, upperHalf } from "./reciprocal";
import type { Value } from "./state";

/** What an instruction gives: its value, and what holds of it besides. Undefined: it is not followed. */
export interface Result {
  readonly value: Value;
  readonly choice?: Condition;
}

type Rule = (step: Step) => Result | undefined;

function plain(value: Value | undefined): Result | undefined {
  return value && { value };
}

function operand(step: Step, index: number): Value | undefined {
  return valueOf(step, step.instruction.operands[index]);
}

/** An operand as the whole number that it is as its type reads it. */
function exactOperand(step: Step, index: number, type: PtxType): Form | undefined {
  return exactly(step, operand(step, index), type);
}

/** The form of an operand that counts from no memory: what it is but for wrap-around. */
function formOf(step: Step, index: number): Form | undefined {
  const value = operand(step, index);
  return value?.kind === "number" && value.base === undefined ? value.form : undefined;
}

function constantOf(step: Step, index: number): number | undefined {
  const form = formOf(step, index);
  return form && isConstant(form) ? form.constant : undefined;
}

/** add, sub: the sum counts from the memory that one of the two counts from. */
function sum(step: Step): Result | undefined {
  const { opcode, modifiers } = step.instruction.matched.instruction;
  const [a, b] = [operand(step, 1), operand(step, 2)];
  if (modifiers.includes("sat") || a?.kind !== "number" || b?.kind !== "number") return undefined;
  if (opcode === "sub")
    return a.base === b.base
      ? { value: number(minus(a.form, b.form)) }
      : plain(b.base === undefined ? moved(a, b.form, -1) : undefined);
  if (a.base === undefined) return plain(moved(b, a.form));
  return plain(b.base === undefined ? moved(a, b.form) : undefined);
}

/** mul, mad. */
function multiply(step: Step): Result | undefined {
  const { opcode } = step.instruction.matched.instruction;
  const { part } = step.instruction.matched.modifiers;
  const type = typeOf(step.instruction);
  if (part === "hi") return opcode === "mul" && type.bits === 32 ? upper(step, type) : undefined;
  const [a, b] = [1, 2].map((index) =>
    part === "wide" ? widened(step, index, type) : { form: formOf(step, index) },
  );
  if (a?.form === undefined || b?.form === undefined) return undefined;
  const result = product(a.form, b.form);
  const choices = [a, b].flatMap(({ choice }) => (choice === undefined ? [] : [choice]));
  const value = opcode === "mul" ? number(result) : moved(operand(step, 3) ?? never, result);
  return value && { value, ...(choices.length > 0 && { choice: all(choices) }) };
}

/** mul.hi of a number that is never negative and a constant. */
function upper(step: Step, type: PtxType): Result | undefined {
  const index = constantOf(step, 1) === undefined ? 2 : 1;
  const [constant, form] = [constantOf(step, index), exactOperand(step, 3 - index, type)];
  if (constant === undefined || constant === 0 || form === undefined) return undefined;
  if (!step.machine.prover.holds({ facts: [], choices: [] }, form)) return undefined;
  const factor = constant < 0 ? constant + 2 ** 32 : constant;
  const bits = type.kind === "signed" ? 31 : 32;
  const half = upperHalf(step.machine, { of: form, factor, bits });
  // A signed factor whose highest bit is set is smaller by 2^32.
  const isBelow = type.kind === "signed" && factor >= 2 ** 31;
  return { value: number(isBelow ? minus(half, form) : half) };
}

/** What is no number. */
const never: Value = { kind: "predicate", condition: { kind: "unknown" } };

/**
 * An operand as its type reads it. Where it may have wrapped around, a symbol that is the operand's number
 * where that has not: what is known later may tell.
 */
function widened(
  step: Step,
  index: number,
  type: PtxType,
): { readonly form: Form | undefined; readonly choice?: Condition } {
  const exact = exactOperand(step, index, type);
  const form = formOf(step, index);
  if (exact !== undefined || form === undefined || type.bits !== 32) return { form: exact };
  const [low, high] = rangeOf(type);
  const own = step.machine.symbols.add({ name: "an index that may wrap around", low, high });
  const [least, most] = [atLeast(form, constantForm(low)), atLeast(constantForm(high), form)];
  const choice = any([all([least, most, equal(own, form)]), negated(least), negated(most)]);
  return { form: own, choice };
}

/** shl by a constant; shr by one is the floor of a quotient. */
function shift(step: Step): Result | undefined {
  const by = constantOf(step, 2);
  if (by === undefined || by < 0 || by > 31) return undefined;
  const type = typeOf(step.instruction);
  if (step.instruction.matched.instruction.opcode === "shl") {
    const form = formOf(step, 1);
    return form && { value: number(scaled(form, 2 ** by)) };
  }
  const form = exactOperand(step, 1, type.kind === "signed" ? type : { ...type, kind: "unsigned" });
  if (form === undefined) return undefined;
  // By 31 bits the sign of a quotient is taken.
  const meant = by < 31 ? shiftedUpperHalf(step.machine, form, by) : undefined;
  return { value: number(meant ?? flooredBy(step, form, 2 ** by)) };
}

/** The floor of a form divided by a number. */
function flooredBy({ machine, state }: Step, form: Form, divisor: number): Form {
  if (isConstant(form)) return constantForm(Math.floor(form.constant / divisor));
  const { prover, symbols } = machine;
  if (divisor >= 2 ** 16 && prover.lies(state, form, [0, divisor - 1])) return constantForm(0);
  // Known of the symbol for good, so that it must not rest on what holds just here.
  const isNeverNegative = prover.holds({ facts: [], choices: [] }, form);
  return symbols.quotient(form, constantForm(divisor), isNeverNegative ? 0 : undefined);
}

/** What a power of two leaves of a form; the bits above do not matter. */
function restBy(step: Step, form: Form, divisor: number): Form {
  return minus(form, scaled(flooredBy(step, form, divisor), divisor));
}

function logic(step: Step): Result | undefined {
  const { opcode } = step.instruction.matched.instruction;
  const type = typeOf(step.instruction);
  if (type.kind === "predicate") return predicateLogic(step, opcode);
  if (opcode === "not") {
    const form = formOf(step, 1);
    return form && { value: number(shifted(scaled(form, -1), -1)) };
  }
  if (opcode === "and") return masked(step, type);
  return opcode === "or" ? joinedBits(step) : undefined;
}

function predicateLogic(step: Step, opcode: string): Result | undefined {
  const [a, b] = [operand(step, 1), operand(step, 2)];
  if (a?.kind !== "predicate") return undefined;
  const predicate = (condition: Condition): Result => ({ value: { kind: "predicate", condition } });
  if (opcode === "not") return predicate(negated(a.condition));
  if (b?.kind !== "predicate") return undefined;
  if (opcode === "and") return predicate(all([a.condition, b.condition]));
  return opcode === "or" ? predicate(any([a.condition, b.condition])) : undefined;
}

/** and: with 2^k - 1 it is a rest, with -2^k what the rest leaves. */
function masked(step: Step, type: PtxType): Result | undefined {
  const first = constantOf(step, 1) === undefined ? 1 : 2;
  const [form, mask] = [formOf(step, first), constantOf(step, 3 - first)];
  if (form === undefined || mask === undefined || type.bits > 32) return undefined;
  if (isPowerOfTwo(mask + 1)) return { value: number(restBy(step, form, mask + 1)) };
  const signed = mask >= 2 ** (type.bits - 1) ? mask - 2 ** type.bits : mask;
  if (isPowerOfTwo(-signed)) return { value: number(minus(form, restBy(step, form, -signed))) };
  if (mask < 0) return undefined;
  return { value: number(step.machine.symbols.add({ name: "masked bits", low: 0, high: mask })) };
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** or: a sum, where one operand has only bits below those of the other. */
function joinedBits(step: Step): Result | undefined {
  const [a, b] = [formOf(step, 1), formOf(step, 2)];
  if (a === undefined || b === undefined) return undefined;
  const fits = (high: Form, low: Form): boolean => {
    const unit = unitOf(high);
    return unit > 1 && step.machine.prover.lies(step.state, low, [0, unit - 1]);
  };
  return fits(a, b) || fits(b, a) ? { value: number(plus(a, b)) } : undefined;
}

/** The greatest power of two up to 2^30 that divides all values of a form. */
function unitOf({ constant, terms }: Form): number {
  let unit = 1;
  const numbers = [constant, ...terms.values()];
  while (unit < 2 ** 30 && numbers.every((each) => each % (2 * unit) === 0)) unit *= 2;
  return unit;
}

/** selp: one of two values. */
function select(step: Step): Result | undefined {
  const [a, b] = [operand(step, 1), operand(step, 2)];
  const which = step.instruction.operands[3];
  if (which?.kind !== "register") return undefined;
  return chosen(step, [a, b], conditionOf(step, which.register));
}

/** The first value where a condition holds, else the second. */
export function chosen(
  { machine }: Pick<Step, "machine">,
  [a, b]: readonly [Value | undefined, Value | undefined],
  condition: Condition,
): Result | undefined {
  if (a?.kind !== "number" || b?.kind !== "number" || a.base !== b.base) return undefined;
  if (keyOf(a.form) === keyOf(b.form)) return { value: a };
  const form = machine.symbols.add({ name: "a selected value" });
  return {
    value: number(form, a.base),
    choice: any([all([condition, equal(form, a.form)]), all([negated(condition), equal(form, b.form)])]),
  };
}

/** min, max. */
function extreme(step: Step): Result | undefined {
  const { opcode, modifiers } = step.instruction.matched.instruction;
  const type = typeOf(step.instruction);
  if (modifiers.includes("relu") || type.count !== 1) return undefined;
  const [a, b] = [exactOperand(step, 1, type), exactOperand(step, 2, type)];
  if (a === undefined || b === undefined) return undefined;
  return chosen(step, [number(a), number(b)], opcode === "min" ? atLeast(b, a) : atLeast(a, b));
}

/** div, rem of numbers that are not negative. */
function divide(step: Step): Result | undefined {
  const { machine, state, instruction } = step;
  const type = typeOf(instruction);
  const [a, b] = [exactOperand(step, 1, type), exactOperand(step, 2, type)];
  if (a === undefined || b === undefined) return undefined;
  // What is said of a quotient is said for good: it must not rest on what holds just here.
  const forGood = { facts: [], choices: [] };
  if (!machine.prover.holds(forGood, shifted(b, -1)) || !machine.prover.holds(state, a)) return undefined;
  const isNeverNegative = machine.prover.holds(forGood, a);
  const quotient = machine.symbols.quotient(a, b, isNeverNegative ? 0 : undefined);
  if (instruction.matched.instruction.opcode === "rem")
    return { value: number(minus(a, product(quotient, b))) };
  return { value: number(quotient) };
}

function unary(step: Step): Result | undefined {
  const form = formOf(step, 1);
  if (form === undefined) return undefined;
  if (step.instruction.matched.instruction.opcode === "neg") return { value: number(scaled(form, -1)) };
  const exact = exactOperand(step, 1, typeOf(step.instruction));
  return exact && chosen(step, [number(exact), number(scaled(exact, -1))], atLeast(exact, constantForm(0)));
}

const whole: ReadonlySet<PtxType["kind"]> = new Set(["signed", "unsigned", "bits"]);

/** cvt between integers: a wider type needs the number, a narrower one keeps the low bits. */
function convert(step: Step): Result | undefined {
  const [to, from] = [typeOf(step.instruction, "to"), typeOf(step.instruction, "from")];
  if (!whole.has(to.kind) || !whole.has(from.kind)) return undefined;
  if (step.instruction.matched.modifiers.saturate !== undefined) return undefined;
  const value = operand(step, 1);
  if (to.bits <= from.bits && to.bits >= 32) return plain(value);
  const form = exactly(step, value, to.bits < from.bits ? to : from);
  return form && { value: number(form) };
}

function move(step: Step): Result | undefined {
  return plain(operand(step, 1));
}

/** bfe of unsigned numbers, at constant places. */
function bitField(step: Step): Result | undefined {
  const type = typeOf(step.instruction);
  const [form, at, length] = [formOf(step, 1), constantOf(step, 2), constantOf(step, 3)];
  if (form === undefined || at === undefined || length === undefined) return undefined;
  if (type.kind === "signed" || type.bits > 32 || length < 1 || at + length > 32) return undefined;
  const above = step.machine.symbols.quotient(form, constantForm(2 ** at));
  return { value: number(restBy(step, above, 2 ** length)) };
}

/** Families of instructions whose result is followed. */
export const rules: Readonly<Partial<Record<string, Rule>>> = {
  move,
  logic,
  shift,
  select,
  convert,
  "convert-address": move,
  "integer-add": sum,
  "integer-multiply": multiply,
  "integer-divide": divide,
  "integer-extreme": extreme,
  "integer-unary": unary,
  "bit-field": bitField,
};
