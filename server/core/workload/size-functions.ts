import { SizeFault } from "./size-fault";
import type { SizeValue } from "./size-syntax";

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
  const last = name.split(/::|\./).at(-1) ?? "";
  return spellings[last.replace(/_/g, "").toLowerCase()];
}

type SizeFunction = (operands: readonly SizeValue[], at: number) => SizeValue;

const functions: Readonly<
  Record<string, { readonly operands: "one" | "two" | "some"; readonly apply: SizeFunction }>
> = {
  ceil_div: { operands: "two", apply: ceilDiv },
  ceil: { operands: "one", apply: ([operand]) => whole(Math.ceil(operand?.value ?? 0)) },
  floor: { operands: "one", apply: ([operand]) => whole(Math.floor(operand?.value ?? 0)) },
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
  next_power_of_2: { operands: "one", apply: ([operand]) => whole(nextPowerOfTwo(operand?.value ?? 0)) },
  "@whole": { operands: "one", apply: ([operand]) => whole(Math.trunc(operand?.value ?? 0)) },
  "@real": { operands: "one", apply: ([operand]) => ({ value: operand?.value ?? 0, real: true }) },
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

function whole(value: number): SizeValue {
  return { value, real: false };
}

function ceilDiv([dividend, divisor]: readonly SizeValue[], at: number): SizeValue {
  if (dividend === undefined || divisor === undefined || divisor.value === 0)
    throw new SizeFault(at, "division by zero");
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
