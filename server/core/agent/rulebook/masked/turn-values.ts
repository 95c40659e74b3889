/**
 * What an expression is known to be in a turn of a loop whose results a mask throws away: a variable as it
 * was before the turn, a number by which nothing changes, or something of which nothing is known. `lowest`
 * stands for scores that no maximum takes and whose exponential is zero.
 */
export type TurnValue = "zero" | "one" | "lowest" | "other" | `before ${string}`;

/** Scores that masks write are this far below zero, or further. */
const lowestFrom = -1e4;

export function beforeTurn(text: string): TurnValue {
  return `before ${text}`;
}

export function numberInTurn(value: number | undefined): TurnValue {
  if (value === undefined || Number.isNaN(value)) return "other";
  if (value <= lowestFrom) return "lowest";
  if (value === 0) return "zero";
  return value === 1 ? "one" : "other";
}

/** What comes of either of two values. */
export function eitherInTurn(one: TurnValue, other: TurnValue): TurnValue {
  return one === other ? one : "other";
}

/** What an operator makes of two values; numbers that are multiplied with zero are taken to be finite. */
export function combinedInTurn(operator: string, left: TurnValue, right: TurnValue): TurnValue {
  switch (operator) {
    case "+":
      return sum(left, right);
    case "-":
      return difference(left, right);
    case "*":
      return product(left, right);
    case "/":
      return right === "one" || left === "zero" ? left : "other";
    default:
      return "other";
  }
}

function sum(left: TurnValue, right: TurnValue): TurnValue {
  if (left === "zero") return right;
  if (right === "zero") return left;
  return left === "lowest" || right === "lowest" ? "lowest" : "other";
}

function difference(left: TurnValue, right: TurnValue): TurnValue {
  if (right === "zero") return left;
  if (left.startsWith("before ") && left === right) return "zero";
  return left === "lowest" && right !== "lowest" ? "lowest" : "other";
}

function product(left: TurnValue, right: TurnValue): TurnValue {
  if (left === "zero" || right === "zero") return "zero";
  if (left === "one") return right;
  return right === "one" ? left : "other";
}

export function exponentialInTurn(value: TurnValue): TurnValue {
  if (value === "lowest") return "zero";
  return value === "zero" ? "one" : "other";
}

export function greatestInTurn(left: TurnValue, right: TurnValue): TurnValue {
  if (left === "lowest") return right;
  return right === "lowest" || left === right ? left : "other";
}

/**
 * Whether `left < right`: what a mask has made lowest is less than anything else, as far as values are known.
 */
export function isLessInTurn(left: TurnValue, right: TurnValue): boolean | undefined {
  if (left === "lowest" && right.startsWith("before ")) return true;
  return right === "lowest" && left.startsWith("before ") ? false : undefined;
}
