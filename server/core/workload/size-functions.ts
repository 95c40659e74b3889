import { at as elementAt, last } from "../base/known";
import { SizeFault, type SizeValue } from "./size-fault";

/** Spellings of the functions, compared in lower case without underscores and without their namespace. */
const spellings: Readonly<Record<string, string>> = {
  ceildiv: "ceil_div",
  cdiv: "ceil_div",
  divup: "ceil_div",
  divceil: "ceil_div",
  ceildivide: "ceil_div",
  idivup: "ceil_div",
  divroundup: "ceil_div",
  updiv: "ceil_div",
  ceil: "ceil",
  ceilf: "ceil",
  floor: "floor",
  floorf: "floor",
  min: "min",
  minimum: "min",
  max: "max",
  maximum: "max",
  nextpowerof2: "next_power_of_2",
  nextpow2: "next_power_of_2",
  nextpowerof2inclusive: "next_power_of_2",
  int: "@whole",
  float: "@real",
};

/**
 * The one name behind a spelling: `triton.cdiv`, `CEIL_DIV` and `divUp` are all `ceil_div`. Undefined when we
 * know no such function.
 */
export function canonicalFunction(name: string): string | undefined {
  const plain = last(name.split(/::|\./));
  return spellings[plain.replace(/_/g, "").toLowerCase()];
}

type SizeFunction = (operands: readonly SizeValue[], at: number) => SizeValue;

const functions: Readonly<
  Record<string, { readonly operands: "one" | "two" | "some"; readonly apply: SizeFunction }>
> = {
  ceil_div: { operands: "two", apply: ceilDiv },
  ceil: { operands: "one", apply: (operands) => whole(Math.ceil(only(operands))) },
  floor: { operands: "one", apply: (operands) => whole(Math.floor(only(operands))) },
  min: {
    operands: "some",
    apply: (operands) => ({
      value: Math.min(...operands.map((operand) => operand.value)),
      real: operands.some((operand) => operand.real),
    }),
  },
  max: {
    operands: "some",
    apply: (operands) => ({
      value: Math.max(...operands.map((operand) => operand.value)),
      real: operands.some((operand) => operand.real),
    }),
  },
  next_power_of_2: { operands: "one", apply: (operands) => whole(nextPowerOfTwo(only(operands))) },
  "@whole": { operands: "one", apply: (operands) => whole(Math.trunc(only(operands))) },
  "@real": { operands: "one", apply: (operands) => ({ value: only(operands), real: true }) },
};

/** Applies a function by its one name; a wrong number of operands is a fault. */
export function applyFunction(name: string, operands: readonly SizeValue[], at: number): SizeValue {
  const found = functions[name];
  const fits =
    found !== undefined &&
    (found.operands === "some"
      ? operands.length > 0
      : operands.length === (found.operands === "one" ? 1 : 2));
  if (!fits)
    throw new SizeFault(
      at,
      `${name.replace("@", "a conversion to ")} takes ${found?.operands ?? "no"} operand${found?.operands === "one" ? "" : "s"}, here are ${operands.length}`,
    );
  return found.apply(operands, at);
}

/** The value of the one operand, whose number has been checked. */
function only(operands: readonly SizeValue[]): number {
  return elementAt(operands, 0).value;
}

function whole(value: number): SizeValue {
  return { value, real: false };
}

function ceilDiv(operands: readonly SizeValue[], at: number): SizeValue {
  const [dividend, divisor] = [elementAt(operands, 0), elementAt(operands, 1)];
  if (divisor.value === 0) throw new SizeFault(at, "division by zero");
  if (dividend.real || divisor.real) return whole(Math.ceil(dividend.value / divisor.value));
  const rest = dividend.value % divisor.value;
  return whole(
    (dividend.value - rest) / divisor.value + (rest !== 0 && rest < 0 === divisor.value < 0 ? 1 : 0),
  );
}

/** The least power of two that is not below the value; 1 for values below 1. */
function nextPowerOfTwo(value: number): number {
  let power = 1;
  while (power < value) power *= 2;
  return power;
}
