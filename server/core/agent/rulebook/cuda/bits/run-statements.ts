import { collapse, fieldText, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { combined, literalOf, turned, type Whole, wholeOf, type WholeType, wholeType } from "./whole-numbers";

/** Thrown for code that is no arithmetic of whole numbers, or that does not end. */
class Unreadable extends Error {}

/** More steps than a loop over the bits of a number takes. */
const MOST = 4000;

type End = "on" | "break" | "continue" | "return";

interface Machine {
  readonly values: Map<string, Whole>;
  /** Constants of the file by their names. */
  readonly constant: (node: SyntaxNode) => number | undefined;
  steps: number;
  result: Whole | undefined;
}

/** What is left of a run. */
interface Ran {
  readonly values: ReadonlyMap<string, Whole>;
  readonly result: Whole | undefined;
}

/**
 * Runs statements on whole numbers. Undefined where they do anything but arithmetic on the variables given
 * and on their own, or where they do not end.
 */
export function ranOn(
  statements: readonly SyntaxNode[],
  start: ReadonlyMap<string, Whole>,
  constant: Machine["constant"],
): Ran | undefined {
  const machine: Machine = { values: new Map(start), constant, steps: 0, result: undefined };
  try {
    for (const statement of statements) if (run(statement, machine) !== "on") break;
    return machine;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

function run(node: SyntaxNode, machine: Machine): End {
  machine.steps += 1;
  if (machine.steps > MOST) throw new Unreadable();
  switch (node.type) {
    case "compound_statement":
      return runAll(partsOf(node), machine);
    case "expression_statement":
      for (const part of partsOf(node)) valueOf(part, machine);
      return "on";
    case "declaration":
      declare(node, machine);
      return "on";
    case "return_statement": {
      const [value] = partsOf(node);
      machine.result = value === undefined ? undefined : valueOf(value, machine);
      return "return";
    }
    default:
      return led(node, machine);
  }
}

/** What says which statement comes next. */
function led(node: SyntaxNode, machine: Machine): End {
  if (/^(?:for|while|do)_statement$/.test(node.type)) return repeat(node, machine);
  switch (node.type) {
    case "if_statement":
      return branch(node, machine);
    case "break_statement":
      return "break";
    case "continue_statement":
      return "continue";
    case "preproc_call":
      return "on";
    default:
      throw new Unreadable();
  }
}

function runAll(statements: readonly SyntaxNode[], machine: Machine): End {
  for (const statement of statements) {
    const end = run(statement, machine);
    if (end !== "on") return end;
  }
  return "on";
}

function declare(node: SyntaxNode, machine: Machine): void {
  const type = wholeType(collapse(fieldText(node, "type")));
  if (type === undefined) throw new Unreadable();
  for (const declarator of node.childrenForFieldName("declarator")) {
    const name = declarator.type === "identifier" ? declarator : declarator.childForFieldName("declarator");
    const value = declarator.childForFieldName("value");
    if (name?.type !== "identifier") throw new Unreadable();
    machine.values.set(name.text, wholeOf(value === null ? 0n : valueOf(value, machine).value, type));
  }
}

function branch(node: SyntaxNode, machine: Machine): End {
  const taken = isTrue(conditionOf(node), machine);
  const [way] = taken
    ? [node.childForFieldName("consequence")]
    : partsOf(node.childForFieldName("alternative"));
  return way ? run(way, machine) : "on";
}

function repeat(node: SyntaxNode, machine: Machine): End {
  const [body, update] = [node.childForFieldName("body"), node.childForFieldName("update")];
  const start = node.childForFieldName("initializer");
  if (body === null) throw new Unreadable();
  if (start?.type === "declaration") declare(start, machine);
  else if (start !== null) valueOf(start, machine);
  const condition = node.type === "for_statement" ? node.childForFieldName("condition") : conditionOf(node);
  for (let isFirst = node.type === "do_statement"; ; isFirst = false) {
    machine.steps += 1;
    if (machine.steps > MOST) throw new Unreadable();
    if (!isFirst && condition !== null && !isTrue(condition, machine)) return "on";
    const end = run(body, machine);
    if (end === "return") return end;
    if (end === "break") return "on";
    if (update !== null) valueOf(update, machine);
  }
}

function conditionOf(node: SyntaxNode): SyntaxNode {
  const clause = node.childForFieldName("condition");
  const value = clause?.childForFieldName("value") ?? clause;
  if (!value) throw new Unreadable();
  return value;
}

function isTrue(node: SyntaxNode, machine: Machine): boolean {
  return valueOf(node, machine).value !== 0n;
}

function valueOf(node: SyntaxNode, machine: Machine): Whole {
  const inner = unwrapped(node);
  switch (inner.type) {
    case "number_literal":
      return known(literalOf(inner.text));
    case "true":
    case "false":
      return wholeOf(inner.type === "true" ? 1n : 0n, { bits: 8, signed: false });
    case "identifier":
      return machine.values.get(inner.text) ?? constantOf(inner, machine);
    case "binary_expression":
      return binary(inner, machine);
    case "unary_expression":
      return known(turned(fieldText(inner, "operator"), valueOf(part(inner, "argument"), machine)));
    case "cast_expression":
      return cast(fieldText(inner, "type"), part(inner, "value"), machine);
    case "call_expression":
      return called(inner, machine);
    default:
      return doneBy(inner, machine);
  }
}

/** The value of what chooses between values, or changes variables. */
function doneBy(node: SyntaxNode, machine: Machine): Whole {
  switch (node.type) {
    case "conditional_expression":
      return valueOf(
        part(node, isTrue(part(node, "condition"), machine) ? "consequence" : "alternative"),
        machine,
      );
    case "assignment_expression":
      return assign(node, machine);
    case "update_expression":
      return update(node, machine);
    case "comma_expression":
      valueOf(part(node, "left"), machine);
      return valueOf(part(node, "right"), machine);
    default:
      throw new Unreadable();
  }
}

function known(value: Whole | undefined): Whole {
  if (value === undefined) throw new Unreadable();
  return value;
}

function part(node: SyntaxNode, field: string): SyntaxNode {
  const found = node.childForFieldName(field);
  if (found === null) throw new Unreadable();
  return found;
}

function constantOf(node: SyntaxNode, machine: Machine): Whole {
  const value = machine.constant(node);
  if (value === undefined || !Number.isSafeInteger(value)) throw new Unreadable();
  const isInt = Math.abs(value) < 2 ** 31;
  return wholeOf(BigInt(value), { bits: isInt ? 32 : 64, signed: true });
}

function binary(node: SyntaxNode, machine: Machine): Whole {
  const operator = fieldText(node, "operator");
  const left = valueOf(part(node, "left"), machine);
  if (operator === "&&" || operator === "||") {
    const decided = (left.value !== 0n) === (operator === "||");
    const holds = decided ? operator === "||" : isTrue(part(node, "right"), machine);
    return wholeOf(holds ? 1n : 0n, { bits: 32, signed: true });
  }
  return known(combined(operator, left, valueOf(part(node, "right"), machine)));
}

function cast(written: string, value: SyntaxNode, machine: Machine): Whole {
  const type = wholeType(collapse(written));
  if (type === undefined) throw new Unreadable();
  return wholeOf(valueOf(value, machine).value, type);
}

/** `static_cast<unsigned>(x)` and `uint32_t(x)`. */
function called(node: SyntaxNode, machine: Machine): Whole {
  const callee = fieldText(node, "function");
  const [value, ...more] = partsOf(node.childForFieldName("arguments"));
  if (value === undefined || more.length > 0) throw new Unreadable();
  return cast(/^static_cast\s*<(.*)>$/.exec(callee)?.[1] ?? callee, value, machine);
}

function assign(node: SyntaxNode, machine: Machine): Whole {
  const name = unwrapped(part(node, "left")).text;
  const operator = fieldText(node, "operator");
  const value = valueOf(part(node, "right"), machine);
  return set(
    name,
    operator === "=" ? value : combined(operator.slice(0, -1), heldIn(name, machine), value),
    machine,
  );
}

function update(node: SyntaxNode, machine: Machine): Whole {
  const name = unwrapped(part(node, "argument")).text;
  const before = heldIn(name, machine);
  const one: Whole = { bits: 32, signed: true, value: 1n };
  const after = set(name, combined(node.text.includes("++") ? "+" : "-", before, one), machine);
  return /^(?:\+\+|--)/.test(node.text) ? after : before;
}

function heldIn(name: string, machine: Machine): Whole {
  return known(machine.values.get(name));
}

function set(name: string, value: Whole | undefined, machine: Machine): Whole {
  const type: WholeType = heldIn(name, machine);
  const made = wholeOf(known(value).value, type);
  machine.values.set(name, made);
  return made;
}
