import { arraysOf } from "../../../../language/cuda/body/arrays";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { compact, fieldText, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  beforeTurn,
  combinedInTurn,
  eitherInTurn,
  isLessInTurn,
  numberInTurn,
  type TurnValue,
} from "../../masked/turn-values";
import { calledInTurn, namedInTurn } from "./calls-in-turn";
import { isWrittenAnew } from "./written-anew";
import { isWithin, type Limit, type LimitedLoop, limitsOf } from "./limits";

/** Thrown where a turn behind the limit may change something that is seen behind the loop. */
class Changes extends Error {}

/** How a statement ends: it goes on, it leaves the turn or the loop around it, or one of both. */
type End = "on" | "left" | "either";

type Values = Map<string, TurnValue>;

/** What a turn is taken to do, statement by statement. */
interface Turn {
  readonly loop: LimitedLoop;
  readonly limit: Limit;
  /** Values of what nobody reads behind the loop; arrays by what stands in brackets, too. */
  readonly values: Values;
  /** Names that are declared in the loop, or that nobody reads outside of it. */
  readonly own: ReadonlySet<string>;
  /** The heads of the loops inside that have stored elements. */
  readonly ranges: Map<string, string>;
}

/** What is known of turns behind a limit. */
interface MaskedTurn {
  /** True where the maximum of scores has to be known by then. */
  readonly usesLowest: boolean;
}

/**
 * Follows a turn of a loop behind a limit, where a mask throws away what it computes. Undefined where the
 * turn may leave anything behind: a variable, an element, an exit, or something that is not understood.
 */
export function maskedTurn(loop: LimitedLoop, limit: Limit): MaskedTurn | undefined {
  const turn: Turn = { loop, limit, values: new Map(), own: ownNames(loop), ranges: new Map() };
  try {
    runAll(statementsOf(loop.counted.body), turn);
  } catch (thrown) {
    if (thrown instanceof Changes) return undefined;
    throw thrown;
  }
  return { usesLowest: [...turn.values.values()].includes("lowest") || namesLowest(turn) };
}

function namesLowest({ loop }: Turn): boolean {
  return /INF|FLT_MAX|infinity|lowest|-\s*(?:\d+(?:\.\d*)?[eE]\+?\d|\d{5,})/.test(loop.counted.body.text);
}

/** Names that the body declares, and those that stand nowhere outside of the loop but in a declaration. */
function ownNames(loop: LimitedLoop): ReadonlySet<string> {
  const { counted, view } = loop;
  const isOwn = (name: string): boolean =>
    usesOf(view.body, name).every((use) => isInside(use, counted.loop) || isBareDeclaration(use)) &&
    isWrittenAnew(loop, name);
  const names = new Set(counted.body.descendantsOfType("identifier").map(({ text }) => text));
  const parameters = new Set(view.kernel.facts.parameters.map(({ name }) => name));
  return new Set([...names].filter((name) => !parameters.has(name) && isOwn(name)));
}

/** The variable that an element or a member belongs to. */
function baseOf(node: SyntaxNode): string {
  return node.descendantsOfType("identifier")[0]?.text ?? "";
}

/** True where a change is seen by nobody behind the loop: of a variable of its own, or an array's element. */
function isOwnTarget(target: SyntaxNode, { own, loop, values }: Turn): boolean {
  const base = baseOf(target);
  const known = own.has(base) || values.has(base);
  if (!known || target.text.includes("->")) return false;
  if (target.descendantsOfType(["subscript_expression", "pointer_expression"]).length === 0) return true;
  return arraysOf(loop.view.body).some(({ name }) => name === base);
}

/** `float s;` and `__shared__ float tile[32][32];`, not a value. */
function isBareDeclaration(use: SyntaxNode): boolean {
  let at = use.parent;
  while (at?.type === "array_declarator") at = at.parent;
  return at?.type === "declaration";
}

function runAll(statements: readonly SyntaxNode[], turn: Turn): End {
  let maybe = false;
  for (const statement of statements) {
    const end = run(statement, turn);
    if (end === "left") return maybe ? "either" : "left";
    maybe ||= end === "either";
  }
  return maybe ? "either" : "on";
}

function run(statement: SyntaxNode, turn: Turn): End {
  switch (statement.type) {
    case "compound_statement":
      return runAll(partsOf(statement), turn);
    case "declaration":
      for (const declarator of statement.childrenForFieldName("declarator")) declare(declarator, turn);
      return "on";
    case "expression_statement":
      for (const act of partsOf(statement)) valueOf(act, turn);
      return "on";
    case "if_statement":
      return branch(statement, turn);
    case "for_statement":
    case "while_statement":
      repeat(statement, turn);
      return "on";
    case "continue_statement":
      return "left";
    case "break_statement":
      if (innerLoopOf(statement, turn) === undefined) throw new Changes();
      return "left";
    default:
      throw new Changes();
  }
}

function innerLoopOf(statement: SyntaxNode, { loop }: Turn): SyntaxNode | undefined {
  const { body } = loop.counted;
  for (let at = statement.parent; at !== null && at.id !== body.id; at = at.parent)
    if (/^(?:for|while|do)_statement$/.test(at.type)) return at;
  return undefined;
}

function branch(statement: SyntaxNode, turn: Turn): End {
  const condition = statement.childForFieldName("condition")?.childForFieldName("value");
  const [taken, otherwise] = ["consequence", "alternative"].map((field) => {
    const part = statement.childForFieldName(field);
    return statementsOf(part?.type === "else_clause" ? partsOf(part)[0] : part);
  });
  if (!condition || taken === undefined || otherwise === undefined) throw new Changes();
  const truth = truthOf(condition, turn);
  if (truth !== undefined) return runAll(truth ? taken : otherwise, turn);
  const before = new Map(turn.values);
  const first = runAll(taken, turn);
  const after = new Map(turn.values);
  replace(turn.values, before);
  const second = runAll(otherwise, turn);
  joinInto(turn.values, after);
  return first === second ? first : "either";
}

function replace(values: Values, by: Values): void {
  values.clear();
  for (const [name, value] of by) values.set(name, value);
}

function joinInto(values: Values, others: Values): void {
  for (const name of new Set([...values.keys(), ...others.keys()])) {
    const [one, other] = [values.get(name), others.get(name)];
    values.set(name, one === undefined || other === undefined ? "other" : eitherInTurn(one, other));
  }
}

/** How often a loop inside is followed until nothing changes any more. */
const roundsMost = 6;

/** A loop inside: what holds after any number of its turns. */
function repeat(statement: SyntaxNode, turn: Turn): void {
  const head = statement.childForFieldName("initializer");
  if (head?.type === "declaration") run(head, turn);
  else if (head) valueOf(head, turn);
  const body = statementsOf(statement.childForFieldName("body"));
  const update = statement.childForFieldName("update");
  const declared = new Set(turn.values.keys());
  const range = [head, statement.childForFieldName("condition")].map(compact).join(";");
  for (let round = 0; round < roundsMost; round += 1) {
    const before = new Map(turn.values);
    runAll(body, turn);
    if (update) valueOf(update, turn);
    const elements = [...turn.values.keys()].filter((name) => name.includes("["));
    const stored = new Map(elements.map((name) => [name, turn.values.get(name) ?? "other"]));
    for (const name of [...turn.values.keys()]) if (!declared.has(name)) turn.values.delete(name);
    joinInto(turn.values, before);
    // Elements that every turn of the loop stores are all stored behind it.
    for (const [name, value] of stored) turn.values.set(name, behind(turn, { name, value, range, before }));
    if (isSame(turn.values, before)) return;
  }
  for (const name of turn.values.keys()) turn.values.set(name, "other");
}

interface Stored {
  readonly name: string;
  readonly value: TurnValue;
  /** The head of the loop that stores it. */
  readonly range: string;
  readonly before: Values;
}

/** An element behind a loop that stores it: a loop of another length leaves some as they were. */
function behind({ ranges }: Turn, { name, value, range, before }: Stored): TurnValue {
  const earlier = before.get(name);
  const all = earlier === undefined || ranges.get(name) === range;
  ranges.set(name, range);
  return all ? value : eitherInTurn(value, earlier);
}

function isSame(one: Values, other: Values): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

function declare(declarator: SyntaxNode, turn: Turn): void {
  const name = declarator.childForFieldName("declarator");
  const value = declarator.childForFieldName("value");
  if (name?.type === "identifier" && value !== null) {
    turn.values.set(name.text, valueOf(value, turn));
    return;
  }
  if (declarator.type === "array_declarator") turn.values.set(baseOf(declarator), "other");
  // A reference is another name of what may be seen behind the loop.
  if (declarator.type === "reference_declarator" || name?.type === "reference_declarator")
    throw new Changes();
  const start = value === null ? undefined : unwrapped(value);
  const isAddress = start?.type === "pointer_expression" && start.text.startsWith("&");
  if (start !== undefined && !isAddress) valueOf(start, turn);
}

/** Whether a condition holds; undefined where it may hold or not. */
function truthOf(condition: SyntaxNode, turn: Turn): boolean | undefined {
  const inner = unwrapped(condition);
  const { loop, limit } = turn;
  if (limitsOf(loop, inner, true).some((each) => isWithin(each, limit))) return false;
  if (limitsOf(loop, inner, false).some((each) => isWithin(each, limit))) return true;
  if (inner.type === "identifier") return truthOfName(inner, turn);
  const argument = inner.childForFieldName("argument");
  if (inner.type === "unary_expression" && argument !== null && fieldText(inner, "operator") === "!") {
    const truth = truthOf(argument, turn);
    return truth === undefined ? undefined : !truth;
  }
  if (inner.type === "binary_expression") return truthOfTwo(inner, turn);
  valueOf(inner, turn);
  return undefined;
}

/** The same of `a && b`, `a || b` and comparisons. */
function truthOfTwo(node: SyntaxNode, turn: Turn): boolean | undefined {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const operator = fieldText(node, "operator");
  if (left === null || right === null) return undefined;
  if (operator === "&&" || operator === "||") {
    const [one, other] = [truthOf(left, turn), truthOf(right, turn)];
    const ends = operator === "||";
    if (one === ends || other === ends) return ends;
    return one === undefined || other === undefined ? undefined : !ends;
  }
  const [one, other] = [valueOf(left, turn), valueOf(right, turn)];
  if (operator === "<") return isLessInTurn(one, other);
  return operator === ">" ? isLessInTurn(other, one) : undefined;
}

/** `bool masked = j > i;`, where a condition only names it. */
function truthOfName(name: SyntaxNode, turn: Turn): boolean | undefined {
  const meaning = turn.loop.view.scope.meaning(name.text);
  return typeof meaning === "object" ? truthOf(meaning, turn) : undefined;
}

type Reader = (node: SyntaxNode, turn: Turn) => TurnValue;

/** What nodes of the grammar's types are; others are only known not to change anything. */
const readers: Readonly<Record<string, Reader>> = {
  number_literal: ({ text }) => numberInTurn(Number.parseFloat(text)),
  identifier: read,
  subscript_expression: read,
  field_expression: read,
  pointer_expression: (node, turn) => (node.text.startsWith("&") ? fail() : read(node, turn)),
  unary_expression: (node, turn) => namedInTurn(compact(node)) ?? minus(node, partOf(node, turn, "argument")),
  binary_expression: (node, turn) =>
    compared(node, turn) ??
    combinedInTurn(fieldText(node, "operator"), partOf(node, turn, "left"), partOf(node, turn, "right")),
  conditional_expression: chosen,
  cast_expression: (node, turn) => partOf(node, turn, "value"),
  assignment_expression: assign,
  update_expression: assign,
  call_expression: (node, turn) => calledInTurn(node, (part) => valueOf(part, turn)) ?? fail(),
  comma_expression: (node, turn) => {
    partOf(node, turn, "left");
    return partOf(node, turn, "right");
  },
};

function partOf(node: SyntaxNode, turn: Turn, field: string): TurnValue {
  const part = node.childForFieldName(field);
  return part === null ? "other" : valueOf(part, turn);
}

function valueOf(node: SyntaxNode, turn: Turn): TurnValue {
  const inner = unwrapped(node);
  const reader = readers[inner.type];
  if (reader !== undefined) return reader(inner, turn);
  return inner.descendantsOfType(["assignment_expression", "call_expression"]).length > 0 ? fail() : "other";
}

function fail(): never {
  throw new Changes();
}

function minus(node: SyntaxNode, value: TurnValue): TurnValue {
  return fieldText(node, "operator") === "-" && value === "zero" ? "zero" : "other";
}

/** A comparison as a number. */
function compared(node: SyntaxNode, turn: Turn): TurnValue | undefined {
  if (!/^(?:[<>]=?|[=!]=|&&|\|\|)$/.test(fieldText(node, "operator"))) return undefined;
  const truth = truthOf(node, turn);
  if (truth === undefined) return "other";
  return truth ? "one" : "zero";
}

function chosen(node: SyntaxNode, turn: Turn): TurnValue {
  const condition = node.childForFieldName("condition");
  const [taken, otherwise] = [node.childForFieldName("consequence"), node.childForFieldName("alternative")];
  if (condition === null || taken === null || otherwise === null) return fail();
  const truth = truthOf(condition, turn);
  if (truth !== undefined) return valueOf(truth ? taken : otherwise, turn);
  return eitherInTurn(valueOf(taken, turn), valueOf(otherwise, turn));
}

/** What a variable or an element holds. */
function read(node: SyntaxNode, turn: Turn): TurnValue {
  const text = compact(node);
  const known = turn.values.get(text);
  if (known !== undefined) return known;
  const constant = namedInTurn(text);
  if (constant !== undefined) return constant;
  if (node.type === "identifier") {
    const value = turn.loop.view.scope.value(node);
    if (value !== undefined) return numberInTurn(value);
  }
  const base = baseOf(node);
  if (node.type !== "identifier" && turn.values.has(base) && !text.includes("[")) return "other";
  // Elements that this turn has stored under another index.
  const stored = [...turn.values].filter(([name]) => name.startsWith(`${base}[`));
  if (stored.length > 0) return stored.map(([, value]) => value).reduce(eitherInTurn);
  return turn.own.has(base) || turn.values.has(base) ? "other" : beforeTurn(text);
}

/** An assignment: to what is seen behind the loop only such that it stays as it was. */
function assign(act: SyntaxNode, turn: Turn): TurnValue {
  const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
  if (target === null) return fail();
  const right = act.childForFieldName("right");
  const operator = fieldText(act, "operator").slice(0, -1);
  const given = right === null ? "one" : valueOf(right, turn);
  const plain = act.type === "assignment_expression" && operator === "";
  const value = plain
    ? given
    : combinedInTurn(right === null ? operator || "+" : operator, read(target, turn), given);
  const text = compact(target);
  if (isOwnTarget(target, turn)) {
    turn.values.set(text, value);
    return value;
  }
  return value === beforeTurn(text) ? value : fail();
}
