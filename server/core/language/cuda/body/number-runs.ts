import { compact, fieldText, partsOf, unwrapped } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { NumberFunction, NumberOperator } from "./number-operations";

/** What an expression is for a state of a run. */
export type Reading<State> = (state: State) => number;

/** How a statement ended. */
export type End = "on" | "break" | "continue" | "return";

/** A statement, read once and run on states; it pauses at each barrier. */
export type Act<State> = (state: State) => Generator<undefined, End>;

/** Something that can be read and set: a variable, or an element. */
export interface Place {
  get(): number;
  set(value: number): void;
}

/** What a run makes of what it meets. Each function throws `NotFollowed` for what has no meaning in it. */
export interface Meaning<State> {
  /** What an expression is as a whole, asked before its parts: constants, built-in variables. */
  whole(node: SyntaxNode, reader: NumberReader<State>): Reading<State> | undefined;
  /** What a name or an element stands for. */
  place(node: SyntaxNode, reader: NumberReader<State>): (state: State) => Place;
  readonly operations: Readonly<Record<string, NumberOperator>>;
  /** A function by its name and the number of its arguments. */
  call(name: string, count: number): NumberFunction | undefined;
  /** Any other expression, also by an operator or a call that is not known. */
  other(node: SyntaxNode): Reading<State>;
  /** Called with each turn of a loop; throws for too many. Without it no loop is followed. */
  turn?(state: State): void;
  /** Called with what a function returns, if it returns anything. Without it no return is followed. */
  returned?(state: State, value: number | undefined): void;
}

/** Thrown for code that means no numbers to a run. */
export class NotFollowed extends Error {}

/** What was read; undefined for code that is not followed. */
export function followed<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof NotFollowed) return undefined;
    throw thrown;
  }
}

/** Runs a statement that has no barrier in it: true where it came to its end, and not to a `break`. */
export function runsThrough<State>(act: Act<State>, state: State): boolean {
  const { done, value } = act(state).next();
  return done === true && value === "on";
}

/** Reads code as arithmetic on numbers, so that what it does is told by running it, however it is written. */
export class NumberReader<State> {
  private readonly meaning: Meaning<State>;

  constructor(meaning: Meaning<State>) {
    this.meaning = meaning;
  }

  /** A statement; throws `NotFollowed`, as do the runs of what it returns. */
  act(node: SyntaxNode): Act<State> {
    switch (node.type) {
      case "compound_statement":
      case "else_clause":
        return inTurn(partsOf(node).map((part) => this.act(part)));
      case "declaration":
        return inTurn(node.childrenForFieldName("declarator").map((each) => this.declared(each)));
      case "expression_statement":
        if (compact(node) === "__syncthreads();") return pause;
        return inTurn(partsOf(node).map((part) => alone(this.value(part))));
      case "assignment_expression":
      case "comma_expression":
        // The head of a `for` loop may start so.
        return alone(this.value(node));
      case "if_statement":
        return this.choice(node);
      case "for_statement":
      case "while_statement":
        return this.loop(node);
      case "comment":
      case "preproc_call":
        return ended("on");
      default:
        return left(node, this.meaning, this);
    }
  }

  /** An expression, which may set what it names; throws `NotFollowed`. */
  value(node: SyntaxNode): Reading<State> {
    const inner = unwrapped(node);
    const whole = this.meaning.whole(inner, this);
    if (whole !== undefined) return whole;
    switch (inner.type) {
      case "number_literal":
        return literal(inner.text);
      case "true":
      case "false":
        return () => Number(inner.type === "true");
      case "identifier":
      case "subscript_expression": {
        const place = this.meaning.place(inner, this);
        return (state) => place(state).get();
      }
      case "cast_expression":
        return this.value(part(inner, "value"));
      case "update_expression":
        return this.updated(inner);
      case "assignment_expression":
        return this.assigned(inner);
      default:
        return this.composed(inner);
    }
  }

  private composed(node: SyntaxNode): Reading<State> {
    switch (node.type) {
      case "comma_expression": {
        const [first, last] = [this.value(part(node, "left")), this.value(part(node, "right"))];
        return (state) => {
          first(state);
          return last(state);
        };
      }
      case "conditional_expression": {
        const asked = this.value(part(node, "condition"));
        const [yes, no] = [this.value(part(node, "consequence")), this.value(part(node, "alternative"))];
        return (state) => (asked(state) === 0 ? no(state) : yes(state));
      }
      case "unary_expression":
        return this.unary(node);
      case "binary_expression":
        return this.binary(node);
      case "call_expression":
        return this.called(node);
      default:
        return this.meaning.other(node);
    }
  }

  private declared(declarator: SyntaxNode): Act<State> {
    if (declarator.type === "identifier") return ended("on");
    const [name, value] = [declarator.childForFieldName("declarator"), declarator.childForFieldName("value")];
    if (name?.type !== "identifier" || value === null) throw new NotFollowed(declarator.type);
    const [place, made] = [this.meaning.place(name, this), this.value(value)];
    return alone((state) => setTo(place(state), made(state)));
  }

  private choice(node: SyntaxNode): Act<State> {
    const condition = this.value(conditionOf(node));
    const yes = this.act(part(node, "consequence"));
    const other = node.childForFieldName("alternative");
    const no = other ? this.act(other) : ended("on");
    return function* run(state) {
      return yield* condition(state) === 0 ? no(state) : yes(state);
    };
  }

  private loop(node: SyntaxNode): Act<State> {
    const { meaning } = this;
    if (meaning.turn === undefined) throw new NotFollowed(node.type);
    const [first, asked, step] = ["initializer", "condition", "update"].map((field) =>
      node.childForFieldName(field),
    );
    const begin = first ? this.act(first) : ended("on");
    const goesOn = asked ? this.value(conditionOf(node)) : () => 1;
    const move = step ? this.value(step) : () => 0;
    const body = this.act(part(node, "body"));
    return function* run(state) {
      yield* begin(state);
      for (; goesOn(state) !== 0; move(state)) {
        meaning.turn?.(state);
        const end = yield* body(state);
        if (end === "return") return end;
        if (end === "break") break;
      }
      return "on";
    };
  }

  private updated(node: SyntaxNode): Reading<State> {
    const place = this.meaning.place(unwrapped(part(node, "argument")), this);
    const operator = fieldText(node, "operator");
    const amount = operator === "++" ? 1 : -1;
    const isBefore = node.children[0]?.text === operator;
    return (state) => {
      const target = place(state);
      const before = target.get();
      target.set(before + amount);
      return isBefore ? before + amount : before;
    };
  }

  private assigned(node: SyntaxNode): Reading<State> {
    const place = this.meaning.place(unwrapped(part(node, "left")), this);
    const value = this.value(part(node, "right"));
    const operator = fieldText(node, "operator").slice(0, -1);
    if (operator === "")
      return (state) => {
        const made = value(state);
        return setTo(place(state), made);
      };
    const combine = this.meaning.operations[operator];
    if (combine === undefined) throw new NotFollowed(operator);
    return (state) => {
      const made = value(state);
      const target = place(state);
      return setTo(target, combine(target.get(), made));
    };
  }

  private unary(node: SyntaxNode): Reading<State> {
    const operator = fieldText(node, "operator");
    if (!["!", "-", "+"].includes(operator)) return this.meaning.other(node);
    const value = this.value(part(node, "argument"));
    if (operator === "+") return value;
    return operator === "-" ? (state) => -value(state) : (state) => Number(value(state) === 0);
  }

  private binary(node: SyntaxNode): Reading<State> {
    const operator = fieldText(node, "operator");
    const combine = this.meaning.operations[operator];
    if (combine === undefined) return this.meaning.other(node);
    const [left, right] = [this.value(part(node, "left")), this.value(part(node, "right"))];
    // What stands on the right may be allowed only where the left holds.
    if (operator === "&&") return (state) => Number(left(state) !== 0 && right(state) !== 0);
    if (operator === "||") return (state) => Number(left(state) !== 0 || right(state) !== 0);
    return (state) => combine(left(state), right(state));
  }

  private called(node: SyntaxNode): Reading<State> {
    const given = partsOf(node.childForFieldName("arguments"));
    const result = this.meaning.call(compact(node.childForFieldName("function")), given.length);
    if (result === undefined) return this.meaning.other(node);
    const values = given.map((each) => this.value(each));
    return (state) => result(...values.map((each) => each(state)));
  }
}

/** What leaves a turn, a loop or the function. */
function left<State>(node: SyntaxNode, meaning: Meaning<State>, reader: NumberReader<State>): Act<State> {
  switch (node.type) {
    case "break_statement":
      return ended("break");
    case "continue_statement":
      return ended("continue");
    default:
      return returned(node, meaning, reader);
  }
}

function returned<State>(node: SyntaxNode, meaning: Meaning<State>, reader: NumberReader<State>): Act<State> {
  if (node.type !== "return_statement" || meaning.returned === undefined) throw new NotFollowed(node.type);
  const [result] = partsOf(node);
  const value = result === undefined ? () => undefined : reader.value(result);
  return function* run(state) {
    meaning.returned?.(state, value(state));
    return "return";
  };
}

function part(node: SyntaxNode, field: string): SyntaxNode {
  const found = node.childForFieldName(field);
  if (found === null) throw new NotFollowed(`${node.type} without ${field}`);
  return found;
}

function conditionOf(node: SyntaxNode): SyntaxNode {
  const condition = part(node, "condition");
  return condition.childForFieldName("value") ?? condition;
}

function literal(text: string): () => number {
  const value = Number(text.replace(/^0x/i.test(text) ? /[uUlL]+$/ : /[uUlLfF]+$/, ""));
  if (Number.isNaN(value)) throw new NotFollowed(text);
  return () => value;
}

function setTo(place: Place, value: number): number {
  place.set(value);
  return value;
}

function alone<State>(act: (state: State) => unknown): Act<State> {
  return function* run(state) {
    act(state);
    return "on";
  };
}

function inTurn<State>(acts: readonly Act<State>[]): Act<State> {
  return function* run(state) {
    for (const act of acts) {
      const end = yield* act(state);
      if (end !== "on") return end;
    }
    return "on";
  };
}

function ended(end: End): Act<unknown> {
  return function* run() {
    return end;
  };
}

function* pause(): Generator<undefined, End> {
  yield;
  return "on";
}
