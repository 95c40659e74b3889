import { fieldText, partsOf, unwrapped } from "../../query";
import type { SyntaxNode } from "../../tree";
import { callOf, operations } from "./number-operations";

/** What a run of statements holds: lists by their names, single values, and how many steps it still has. */
interface Held {
  readonly lists: ReadonlyMap<string, number[]>;
  readonly values: Map<string, number>;
  left: number;
}

type Value = (held: Held) => number;
/** Says how the statement ended. */
type Act = (held: Held) => "on" | "break" | "continue";

/** Names that stand for whole numbers which are known when the code is compiled. */
type Known = (name: string) => number | undefined;

/** What is written in a way that is not followed here, or has no value. */
class NotFollowed extends Error {}

/** Steps after which a run is given up. */
const stepsMost = 50_000;

/**
 * What a statement does to lists of whole numbers, found by running it on some: loops that sort, reverse or
 * rotate are told so in whatever way they are written. It may use the lists, constants, variables of its own,
 * and those that it sets before it reads them. Undefined for a statement with anything else in it, such as a
 * call or memory. The run is false where it left a list, read what it had not set, or did not end in time.
 */
export function smallRun(
  statement: SyntaxNode,
  known: Known,
): ((lists: ReadonlyMap<string, number[]>) => boolean) | undefined {
  const act = followed(() => actOf(statement, known));
  if (act === undefined) return undefined;
  return (lists) => followed(() => act({ lists, values: new Map(), left: stepsMost }) === "on") === true;
}

function followed<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof NotFollowed) return undefined;
    throw thrown;
  }
}

function actOf(node: SyntaxNode, known: Known): Act {
  switch (node.type) {
    case "compound_statement":
      return inTurn(partsOf(node).map((part) => actOf(part, known)));
    case "declaration":
      return inTurn(node.childrenForFieldName("declarator").map((each) => declared(each, known)));
    case "expression_statement":
      return inTurn(partsOf(node).map((part) => alone(valueOf(part, known))));
    case "if_statement":
      return choice(node, known);
    case "for_statement":
    case "while_statement":
      return loopOf(node, known);
    case "break_statement":
      return () => "break";
    case "continue_statement":
      return () => "continue";
    case "preproc_call":
      return () => "on";
    default:
      throw new NotFollowed(node.type);
  }
}

function inTurn(acts: readonly Act[]): Act {
  return (held) => {
    for (const act of acts) {
      const end = act(held);
      if (end !== "on") return end;
    }
    return "on";
  };
}

function alone(value: Value): Act {
  return (held) => {
    value(held);
    return "on";
  };
}

function declared(declarator: SyntaxNode, known: Known): Act {
  if (declarator.type === "identifier") return () => "on";
  const [name, value] = [declarator.childForFieldName("declarator"), declarator.childForFieldName("value")];
  if (name?.type !== "identifier" || value === null) throw new NotFollowed(declarator.type);
  const made = valueOf(value, known);
  return (held) => {
    held.values.set(name.text, made(held));
    return "on";
  };
}

function choice(node: SyntaxNode, known: Known): Act {
  const [asked, then] = [part(node, "condition"), part(node, "consequence")];
  const other = node.childForFieldName("alternative");
  const condition = valueOf(asked.childForFieldName("value") ?? asked, known);
  const [yes, no] = [actOf(then, known), inTurn(partsOf(other).map((each) => actOf(each, known)))];
  return (held) => (condition(held) === 0 ? no(held) : yes(held));
}

function loopOf(node: SyntaxNode, known: Known): Act {
  const [first, asked, step] = ["initializer", "condition", "update"].map((field) =>
    node.childForFieldName(field),
  );
  const begin = first ? headOf(first, known) : inTurn([]);
  const goesOn = asked ? valueOf(asked.childForFieldName("value") ?? asked, known) : () => 1;
  const move = step ? valueOf(step, known) : () => 0;
  const body = actOf(part(node, "body"), known);
  return (held) => {
    begin(held);
    for (; goesOn(held) !== 0; move(held)) {
      if ((held.left -= 1) < 0) throw new NotFollowed("too many steps");
      if (body(held) === "break") break;
    }
    return "on";
  };
}

function headOf(first: SyntaxNode, known: Known): Act {
  return first.type === "declaration" ? actOf(first, known) : alone(valueOf(first, known));
}

function valueOf(node: SyntaxNode, known: Known): Value {
  switch (node.type) {
    case "parenthesized_expression":
      return valueOf(unwrapped(node), known);
    case "number_literal": {
      const number = Number(node.text.replace(/[uUlL]+$/, ""));
      if (!Number.isSafeInteger(number)) throw new NotFollowed(node.text);
      return () => number;
    }
    case "true":
    case "false":
      return () => (node.type === "true" ? 1 : 0);
    case "identifier":
      return read(node.text, known);
    case "subscript_expression": {
      const place = placeOf(node, known);
      return (held) => place(held).get();
    }
    case "update_expression":
      return updated(node, known);
    case "assignment_expression":
      return assigned(node, known);
    case "unary_expression":
      return unary(fieldText(node, "operator"), valueOf(part(node, "argument"), known));
    case "binary_expression":
      return binary(node, known);
    case "conditional_expression":
      return picked(node, known);
    case "call_expression":
      return called(node, known);
    case "comma_expression": {
      const values = partsOf(node).map((each) => valueOf(each, known));
      return (held) => values.map((each) => each(held)).at(-1) ?? 0;
    }
    default:
      throw new NotFollowed(node.type);
  }
}

function part(node: SyntaxNode, field: string): SyntaxNode {
  const found = node.childForFieldName(field);
  if (found === null) throw new NotFollowed(`${node.type} without ${field}`);
  return found;
}

function read(name: string, known: Known): Value {
  const constant = known(name);
  if (constant !== undefined) return () => constant;
  return ({ values }) => {
    const value = values.get(name);
    if (value === undefined) throw new NotFollowed(name);
    return value;
  };
}

/** Something that can be read and set: a variable, or an element of a list. */
interface Place {
  get(): number;
  set(value: number): number;
}

function placeOf(node: SyntaxNode, known: Known): (held: Held) => Place {
  const target = unwrapped(node);
  if (target.type === "identifier") {
    const get = read(target.text, known);
    if (known(target.text) !== undefined) throw new NotFollowed(target.text);
    return (held) => ({
      get: () => get(held),
      set: (value) => {
        held.values.set(target.text, value);
        return value;
      },
    });
  }
  const name = fieldText(target, "argument");
  const [index, ...more] = partsOf(target.childForFieldName("indices"));
  if (target.type !== "subscript_expression" || index === undefined || more.length > 0)
    throw new NotFollowed(target.type);
  const where = valueOf(index, known);
  return (held) => {
    const [list, at] = [held.lists.get(name), where(held)];
    if (list === undefined || list[at] === undefined) throw new NotFollowed(`${name}[${at}]`);
    return { get: () => list[at] ?? 0, set: (value) => (list[at] = value) };
  };
}

function updated(node: SyntaxNode, known: Known): Value {
  const place = placeOf(part(node, "argument"), known);
  const amount = fieldText(node, "operator") === "++" ? 1 : -1;
  const isBefore = node.children[0]?.text === fieldText(node, "operator");
  return (held) => {
    const target = place(held);
    const before = target.get();
    target.set(before + amount);
    return isBefore ? before + amount : before;
  };
}

function assigned(node: SyntaxNode, known: Known): Value {
  const place = placeOf(part(node, "left"), known);
  const value = valueOf(part(node, "right"), known);
  const operator = fieldText(node, "operator");
  if (operator === "=")
    return (held) => {
      const made = value(held);
      return place(held).set(made);
    };
  const combine = operationOf(operator.slice(0, -1));
  return (held) => {
    const made = value(held);
    const target = place(held);
    return target.set(combine(target.get(), made));
  };
}

function unary(operator: string, value: Value): Value {
  switch (operator) {
    case "!":
      return (held) => Number(value(held) === 0);
    case "-":
      return (held) => -value(held);
    case "+":
      return value;
    default:
      throw new NotFollowed(operator);
  }
}

function binary(node: SyntaxNode, known: Known): Value {
  const operator = fieldText(node, "operator");
  const [left, right] = [valueOf(part(node, "left"), known), valueOf(part(node, "right"), known)];
  if (operator === "&&") return (held) => Number(left(held) !== 0 && right(held) !== 0);
  if (operator === "||") return (held) => Number(left(held) !== 0 || right(held) !== 0);
  const combine = operationOf(operator);
  return (held) => combine(left(held), right(held));
}

function picked(node: SyntaxNode, known: Known): Value {
  const condition = valueOf(part(node, "condition"), known);
  const [yes, no] = ["consequence", "alternative"].map((field) => valueOf(part(node, field), known));
  return (held) => (condition(held) === 0 ? no : yes)?.(held) ?? 0;
}

/** `min(a, b)` and the like. */
function called(node: SyntaxNode, known: Known): Value {
  const values = partsOf(node.childForFieldName("arguments")).map((each) => valueOf(each, known));
  const name = fieldText(node, "function");
  const result = callOf(name, values.length);
  if (result === undefined) throw new NotFollowed(name);
  return (held) => result(...values.map((each) => each(held)));
}

function operationOf(operator: string): (left: number, right: number) => number {
  const known = operations[operator];
  if (known === undefined) throw new NotFollowed(operator);
  return known;
}
