import {
  compact,
  enclosing,
  fieldText,
  isInside,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  beforeTurn,
  combinedInTurn,
  eitherInTurn,
  isLessInTurn,
  numberInTurn,
  type TurnValue,
} from "../../masked/turn-values";
import { isCallOf, keyword, maskOf, positional, type TritonView } from "../kernel";
import { calledInTurn } from "./calls-in-turn";
import { comparedIn } from "./forms";
import { isWithin, type Limit, limitOf, type RangeLoop } from "./limits";

/** Thrown where a turn behind the limit may change something that is seen behind the loop. */
class Changes extends Error {}

interface Turn {
  readonly range: RangeLoop;
  readonly limit: Limit;
  readonly values: Map<string, TurnValue>;
}

/** What is known of turns behind a limit. */
interface MaskedTurn {
  /** True where the maximum of scores has to be known by then. */
  readonly usesLowest: boolean;
}

/**
 * Follows a turn of a loop behind a limit, where a mask throws away what it computes. Undefined where the
 * turn may leave anything behind: a value that is seen later, or memory.
 */
export function maskedTurn(range: RangeLoop, limit: Limit): MaskedTurn | undefined {
  const turn: Turn = { range, limit, values: new Map() };
  try {
    for (const statement of partsOf(range.body)) run(statement, turn);
  } catch (thrown) {
    if (thrown instanceof Changes) return undefined;
    throw thrown;
  }
  return { usesLowest: /inf\b|INF|-\s*(?:\d+(?:\.\d*)?[eE]\+?\d|\d{5,})/.test(range.view.body.text) };
}

function run(statement: SyntaxNode, turn: Turn): void {
  switch (statement.type) {
    case "expression_statement":
      for (const act of partsOf(statement)) perform(act, turn);
      return;
    case "pass_statement":
      return;
    case "if_statement":
      branch(statement, turn);
      return;
    case "for_statement": {
      const body = partsOf(statement.childForFieldName("body"));
      for (const round of [1, 2]) {
        const before = new Map(turn.values);
        for (const each of body) run(each, turn);
        if (round === 1) joinInto(turn.values, before);
      }
      return;
    }
    default:
      throw new Changes();
  }
}

function branch(statement: SyntaxNode, turn: Turn): void {
  const condition = statement.childForFieldName("condition");
  const otherwise = statement.childrenForFieldName("alternative");
  const [only, ...more] = otherwise;
  if (condition === null || more.length > 0 || only?.type === "elif_clause") throw new Changes();
  const truth = valueOf(condition, turn);
  const taken = partsOf(statement.childForFieldName("consequence"));
  const other = partsOf(only?.childForFieldName("body"));
  const before = new Map(turn.values);
  if (truth !== "zero") for (const each of taken) run(each, turn);
  if (truth === "one") return;
  const after = new Map(turn.values);
  turn.values.clear();
  for (const [name, value] of before) turn.values.set(name, value);
  for (const each of other) run(each, turn);
  if (truth !== "zero") joinInto(turn.values, after);
}

function joinInto(values: Map<string, TurnValue>, others: ReadonlyMap<string, TurnValue>): void {
  for (const name of new Set([...values.keys(), ...others.keys()])) {
    const [one, other] = [values.get(name), others.get(name)];
    values.set(name, one === undefined || other === undefined ? "other" : eitherInTurn(one, other));
  }
}

function perform(act: SyntaxNode, turn: Turn): void {
  if (act.type === "assignment" || act.type === "augmented_assignment") {
    assign(act, turn);
    return;
  }
  if (act.type === "string") return;
  valueOf(act, turn);
}

function assign(act: SyntaxNode, turn: Turn): void {
  const [target, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (target === null || right === null) throw new Changes();
  if (isSeveral(target, right)) {
    const values = partsOf(right).map((part) => valueOf(part, turn));
    for (const [place, name] of partsOf(target).entries()) give(name.text, values[place] ?? "other", turn);
    return;
  }
  const given = valueOf(right, turn);
  if (target.type !== "identifier") {
    const names = target.descendantsOfType("identifier");
    if (!names.every(({ text }) => isOwn(turn.range, turn.limit, text))) throw new Changes();
    for (const { text } of names) turn.values.set(text, "other");
    return;
  }
  const name = target.text;
  const operator = fieldText(act, "operator").slice(0, -1);
  const value = act.type === "augmented_assignment" ? operated(operator, read(target, turn), given) : given;
  give(name, value, turn);
}

/** `a, b = c, d`: as many names as values. */
function isSeveral(target: SyntaxNode, right: SyntaxNode): boolean {
  const names = partsOf(target);
  return (
    /^(?:pattern_list|tuple_pattern)$/.test(target.type) &&
    /^(?:expression_list|tuple)$/.test(right.type) &&
    names.length === partsOf(right).length &&
    names.every(({ type }) => type === "identifier")
  );
}

function give(name: string, value: TurnValue, turn: Turn): void {
  if (value === beforeTurn(name)) {
    turn.values.delete(name);
    return;
  }
  if (!isOwn(turn.range, turn.limit, name)) throw new Changes();
  turn.values.set(name, value);
}

/**
 * True for a name that nobody misses behind the loop: it is not read there, and where first turns are left
 * out each turn gives it anew.
 */
function isOwn({ view, loop, body }: RangeLoop, { side }: Limit, name: string): boolean {
  const uses = usesOf(view.body, name);
  const behind = uses.some((use) => use.startIndex > loop.endIndex);
  const [first] = uses.filter((use) => isInside(use, body));
  const act = first?.parent;
  const anew = act?.type === "assignment" && act.childForFieldName("left")?.id === first?.id;
  if (anew && uses.every((use) => isInside(use, body))) return true;
  const nested = enclosing(loop, "for_statement", "while_statement");
  return side === "upper" && !behind && nested === undefined;
}

type Reader = (node: SyntaxNode, turn: Turn) => TurnValue;

const shapeless: Reader = () => "other";

/** What nodes of the grammar's types are; others are only known not to change anything. */
const readers: Readonly<Record<string, Reader>> = {
  integer: ({ text }) => numberInTurn(Number(text.replaceAll("_", ""))),
  float: ({ text }) => numberInTurn(Number(text.replaceAll("_", ""))),
  true: () => "one",
  false: () => "zero",
  identifier: read,
  subscript: (node, turn) => partOf(node, turn, "value"),
  comparison_operator: compared,
  boolean_operator: (node, turn) =>
    operated(fieldText(node, "operator"), partOf(node, turn, "left"), partOf(node, turn, "right")),
  binary_operator: (node, turn) =>
    operated(fieldText(node, "operator"), partOf(node, turn, "left"), partOf(node, turn, "right")),
  not_operator: (node, turn) => negated(partOf(node, turn, "argument")),
  unary_operator: (node, turn) => unary(node, partOf(node, turn, "argument")),
  call: called,
  attribute: shapeless,
  string: shapeless,
  none: shapeless,
  tuple: shapeless,
  list: shapeless,
};

function partOf(node: SyntaxNode, turn: Turn, field: string): TurnValue {
  const part = node.childForFieldName(field);
  return part === null ? "other" : valueOf(part, turn);
}

function valueOf(node: SyntaxNode, turn: Turn): TurnValue {
  const inner = unwrapped(node);
  const reader = readers[inner.type];
  if (reader !== undefined) return reader(inner, turn);
  return inner.descendantsOfType("call").length > 0 ? fail() : "other";
}

function fail(): never {
  throw new Changes();
}

function read(name: SyntaxNode, { values, range }: Turn): TurnValue {
  return values.get(name.text) ?? constantOf(range.view, name.text) ?? beforeTurn(name.text);
}

/** A number that the file gives a name: `NEG = float("-inf")`. */
function constantOf({ model, body }: TritonView, name: string): TurnValue | undefined {
  const given = model.root
    .descendantsOfType("assignment")
    .filter((act) => act.childForFieldName("left")?.text === name);
  const [only] = given;
  const value = only?.childForFieldName("right");
  const outside = only !== undefined && enclosing(only, "function_definition") === undefined;
  if (given.length !== 1 || !value || !outside || isInside(only, body)) return undefined;
  const text = compact(value).replace(/^\w+\.constexpr\((.*)\)$/, "$1");
  return lowest.test(text) ? "lowest" : numberInTurn(Number(text));
}

const lowest =
  /^(?:float\(["']-inf(?:inity)?["']\)|-float\(["']inf(?:inity)?["']\)|-(?:math|torch|np)\.inf)$/;

function unary(node: SyntaxNode, value: TurnValue): TurnValue {
  const text = compact(node);
  if (lowest.test(text)) return "lowest";
  if (text.startsWith("~")) return negated(value);
  const number = Number(text);
  return Number.isNaN(number) ? "other" : numberInTurn(number);
}

function negated(value: TurnValue): TurnValue {
  if (value === "zero") return "one";
  return value === "one" ? "zero" : "other";
}

function operated(operator: string, left: TurnValue, right: TurnValue): TurnValue {
  if (operator === "&" || operator === "and") {
    if (left === "zero" || right === "zero") return "zero";
    return left === "one" && right === "one" ? "one" : "other";
  }
  if (operator === "|" || operator === "or") {
    if (left === "one" || right === "one") return "one";
    return left === "zero" && right === "zero" ? "zero" : "other";
  }
  return combinedInTurn(operator, left, right);
}

function compared(node: SyntaxNode, turn: Turn): TurnValue {
  const { range, limit } = turn;
  const [holds, fails] = [true, false].map((each) => limitOf(range, node, each));
  if (holds !== undefined && isWithin(holds, limit)) return "zero";
  if (fails !== undefined && isWithin(fails, limit)) return "one";
  const sides = comparedIn(node);
  if (sides === undefined) return "other";
  const [left, right] = [valueOf(sides.left, turn), valueOf(sides.right, turn)];
  const less = sides.operator === "<" ? isLessInTurn(left, right) : undefined;
  const truth = sides.operator === ">" ? isLessInTurn(right, left) : less;
  if (truth === undefined) return "other";
  return truth ? "one" : "zero";
}

/** What a load gives: where its mask is off, what it says. */
function loaded(call: SyntaxNode, turn: Turn): TurnValue {
  const mask = maskOf(turn.range.view, call);
  const other = keyword(call, "other") ?? positional(call)[2];
  if (mask === undefined || other === undefined) return "other";
  return valueOf(mask, turn) === "zero" ? valueOf(other, turn) : "other";
}

function called(call: SyntaxNode, turn: Turn): TurnValue {
  if (lowest.test(compact(call))) return "lowest";
  const { view } = turn.range;
  const callee = call.childForFieldName("function");
  const member = fieldText(callee, "attribute");
  if (isCallOf(view, call, "load")) return loaded(call, turn);
  if (isCallOf(view, call, "store") || /^atomic_/.test(member)) {
    const mask = maskOf(view, call);
    return mask !== undefined && valueOf(mask, turn) === "zero" ? "other" : fail();
  }
  const added = member === "dot" ? keyword(call, "acc") : undefined;
  const values = [...positional(call), ...(added === undefined ? [] : [added])].map((part) =>
    valueOf(part, turn),
  );
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  const object =
    owner && !/^(?:tl|triton|libdevice|math)(?:\.\w+)*$/.test(owner.text) ? valueOf(owner, turn) : undefined;
  const name = member === "" ? compact(callee) : member;
  return calledInTurn(name, values, object) ?? fail();
}
