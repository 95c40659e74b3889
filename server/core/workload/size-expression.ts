import { type Outcome, fail, succeed } from "../base/outcome";
import { known } from "../base/known";
import { knownOrMeant } from "../base/text";
import { SizeFault, type SizeValue } from "./size-fault";
import { applyFunction } from "./size-functions";
import { readSizeExpression, type SizeNode } from "./size-syntax";
import type { SizeExpression } from "./spec";

/** What is wrong with an expression; `column` is one-based in its text. */
interface SizeProblem {
  readonly column: number;
  readonly message: string;
}

/**
 * Parses an integer expression over variables; the grammar stands at SizeExpression in ./spec. C and Python
 * spellings are both read.
 */
export function parseSizeExpression(text: string): Outcome<SizeNode, SizeProblem> {
  return guarded(() => readSizeExpression(text));
}

/**
 * Value of an expression: an integer of at most 2^53. Division floors; division by zero, unknown names and
 * fractions are problems.
 */
export function evaluateSizeExpression(
  expression: SizeExpression | SizeNode,
  variables: Readonly<Record<string, number>>,
): Outcome<number, SizeProblem> {
  if (typeof expression === "string") {
    const parsed = parseSizeExpression(expression);
    return parsed.ok ? evaluateSizeExpression(parsed.value, variables) : parsed;
  }
  const node: SizeNode =
    typeof expression === "number" ? { kind: "number", value: expression, real: false, at: 1 } : expression;
  return guarded(() => {
    const { value } = valueOf(node, variables);
    if (!Number.isSafeInteger(value))
      throw new SizeFault(node.at, `the value ${value} is not a whole number below 2^53`);
    return value === 0 ? 0 : value;
  });
}

/** Names of the variables that an expression uses. */
export function variablesOf(node: SizeNode): readonly string[] {
  const names = new Set<string>();
  const pending: SizeNode[] = [node];
  for (let current = pending.shift(); current !== undefined; current = pending.shift()) {
    if (current.kind === "variable") names.add(current.name);
    else if (current.kind === "unary") pending.push(current.operand);
    else if (current.kind === "binary") pending.push(current.left, current.right);
    else if (current.kind === "choice") pending.push(current.condition, current.then, current.otherwise);
    else if (current.kind === "call") pending.push(...current.operands);
  }
  return [...names];
}

function guarded<Value>(work: () => Value): Outcome<Value, SizeProblem> {
  try {
    return succeed(work());
  } catch (thrown) {
    if (thrown instanceof SizeFault) return fail({ column: thrown.column, message: thrown.message });
    throw thrown;
  }
}

function valueOf(node: SizeNode, variables: Readonly<Record<string, number>>): SizeValue {
  switch (node.kind) {
    case "number":
      return node;
    case "variable": {
      const value = Object.hasOwn(variables, node.name) ? variables[node.name] : undefined;
      if (value === undefined)
        throw new SizeFault(
          node.at,
          `the name "${node.name}" is not known; ${knownOrMeant(node.name, Object.keys(variables))}`,
        );
      return { value, real: !Number.isInteger(value) };
    }
    case "unary":
      return unaryValue(node.operator, valueOf(node.operand, variables));
    case "choice":
      return valueOf(node.condition, variables).value !== 0
        ? valueOf(node.then, variables)
        : valueOf(node.otherwise, variables);
    case "call":
      return bounded(
        applyFunction(
          node.name,
          node.operands.map((operand) => valueOf(operand, variables)),
          node.at,
        ),
        node.at,
      );
    case "binary":
      return bounded(binaryValue(node, variables), node.at);
  }
}

function bounded(result: SizeValue, at: number): SizeValue {
  if (!Number.isFinite(result.value) || Math.abs(result.value) > Number.MAX_SAFE_INTEGER)
    throw new SizeFault(at, "the value is beyond 2^53");
  return result;
}

function unaryValue(operator: string, { value, real }: SizeValue): SizeValue {
  switch (operator) {
    case "-":
      return { value: -value, real };
    case "!":
      return { value: value === 0 ? 1 : 0, real: false };
    case "~":
      return { value: -value - 1, real: false };
    default:
      return { value, real };
  }
}

type BinaryNode = Extract<SizeNode, { kind: "binary" }>;

function binaryValue(node: BinaryNode, variables: Readonly<Record<string, number>>): SizeValue {
  const left = valueOf(node.left, variables);
  if (node.operator === "&&") return truth(left.value !== 0 && valueOf(node.right, variables).value !== 0);
  if (node.operator === "||") return truth(left.value !== 0 || valueOf(node.right, variables).value !== 0);
  const right = valueOf(node.right, variables);
  const compare = comparisons[node.operator];
  if (compare !== undefined) return truth(compare(left.value, right.value));
  const real = left.real || right.real;
  const calculate = calculations[node.operator];
  if (calculate !== undefined) return { value: calculate(left.value, right.value), real };
  if (!/^[/%]/.test(node.operator)) return { value: bitValue(node, left.value, right.value), real: false };
  if (right.value === 0) throw new SizeFault(node.at, "division by zero");
  if (node.operator === "/" && real) return { value: left.value / right.value, real };
  const rest = flooredRest(left.value, right.value);
  return node.operator === "%"
    ? { value: rest, real }
    : { value: Math.round((left.value - rest) / right.value), real: false };
}

/**
 * What floor division leaves: it has the sign of the divisor. Exact, unlike a floored quotient of doubles.
 */
function flooredRest(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return rest !== 0 && rest < 0 !== divisor < 0 ? rest + divisor : rest;
}

function truth(holds: boolean): SizeValue {
  return { value: holds ? 1 : 0, real: false };
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const calculations: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
};

function bitValue(node: BinaryNode, left: number, right: number): number {
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right))
    throw new SizeFault(node.at, `"${node.operator}" needs whole numbers`);
  if (/^[<>]/.test(node.operator) && (right < 0 || right > 52))
    throw new SizeFault(node.at, "a shift must be from 0 to 52");
  const [a, b] = [BigInt(left), BigInt(right)];
  const results: Readonly<Record<string, () => bigint>> = {
    "<<": () => a << b,
    ">>": () => a >> b,
    "&": () => a & b,
    "|": () => a | b,
    "^": () => a ^ b,
  };
  return Number(known(results[node.operator], "a calculation of the operator")());
}
