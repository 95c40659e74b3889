import { arraysOf, elementOf } from "../../../../language/cuda/body/arrays";
import { type CountedLoop, statementsOf } from "../../../../language/cuda/body/loops";
import { callOf, operations } from "../../../../language/cuda/body/number-operations";
import { localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** One thread of a block while a loop is run on numbers. */
export interface Thread {
  readonly number: number;
  /** What the names hold that the loop declares or changes. */
  readonly locals: Map<string, number>;
  /** Elements of shared arrays by `name[i][j]`; those that nobody has stored yet are made up. */
  readonly shared: Map<string, number>;
}

/** An expression, read once and asked for each thread. */
type Reading = (thread: Thread) => number;

/** A statement, which pauses at each barrier. */
type Act = (thread: Thread) => Generator<undefined, void>;

/** Thrown for code that is more than arithmetic on shared memory. */
class Unreadable extends Error {}

/** What code means for the threads of a block of one dimension. */
export interface BlockReader {
  value(node: SyntaxNode, thread: Thread): number | undefined;
  /** The name under which an element of a shared array is kept. */
  element(node: SyntaxNode, thread: Thread): string | undefined;
  /** Runs all threads through the loop, from barrier to barrier; false where its code cannot be read. */
  run(loop: CountedLoop, threads: readonly Thread[]): boolean;
}

const most = 4096;

/** Reads code of a kernel whose blocks have `size` threads. */
export function blockReader(view: KernelView, size: number): BlockReader {
  const reader = new Reader(view, size);
  return {
    value: (node, thread) => readable(() => reader.value(node)(thread)),
    element: (node, thread) => readable(() => reader.element(node)(thread)),
    run: (loop, threads) => readable(() => runThreads(reader.loop(loop), threads)) ?? false,
  };
}

/** What names hold in front of a loop, as far as that is plain: each with its only value. */
export function localsBefore(
  view: KernelView,
  loop: SyntaxNode,
  reader: BlockReader,
  number: number,
): Thread {
  const thread: Thread = { number, locals: new Map(), shared: new Map() };
  for (const { name, value, declaration } of localValues(view.body)) {
    if (declaration.endIndex > loop.startIndex || view.scope.meaning(name) !== undefined) continue;
    const held = reader.value(value, thread);
    if (held !== undefined) thread.locals.set(name, held);
  }
  return thread;
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

function runThreads(act: Act, threads: readonly Thread[]): boolean {
  const going = threads.map((thread) => act(thread));
  for (let phase = 0; phase < most; phase += 1) {
    const left = going.filter((each) => each.next().done !== true);
    if (left.length === 0) return true;
    if (left.length < going.length) return false;
  }
  return false;
}

class Reader {
  private readonly view: KernelView;
  private readonly size: number;
  private readonly dimensions: ReadonlyMap<string, number>;

  constructor(view: KernelView, size: number) {
    this.view = view;
    this.size = size;
    const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
    this.dimensions = new Map(shared.map(({ name, sizes }) => [name, Math.max(1, sizes.length)]));
  }

  loop({ variable, start, condition, update, body }: CountedLoop): Act {
    const [first, goes, next] = [this.value(start), this.value(condition), this.change(update)];
    const turn = this.all(statementsOf(body));
    return function* run(thread) {
      thread.locals.set(variable, first(thread));
      for (let count = 0; goes(thread) !== 0; count += 1) {
        if (count > most) throw new Unreadable();
        yield* turn(thread);
        next(thread);
      }
    };
  }

  value(node: SyntaxNode): Reading {
    const inner = unwrapped(node);
    const constant = this.view.scope.value(inner);
    if (constant !== undefined) return () => constant;
    const of = (field: string): Reading => this.value(known(inner.childForFieldName(field)));
    switch (inner.type) {
      case "number_literal":
        return numberOf(inner.text);
      case "identifier":
        return this.name(inner.text);
      case "field_expression":
        return this.builtin(compact(inner));
      case "binary_expression": {
        const [operation, left, right] = [
          known(operations[fieldText(inner, "operator")]),
          of("left"),
          of("right"),
        ];
        return (thread) => operation(left(thread), right(thread));
      }
      case "unary_expression":
        return signed(fieldText(inner, "operator"), of("argument"));
      case "conditional_expression": {
        const [asked, yes, no] = [of("condition"), of("consequence"), of("alternative")];
        return (thread) => (asked(thread) === 0 ? no(thread) : yes(thread));
      }
      case "cast_expression":
        return of("value");
      case "call_expression":
        return this.call(inner);
      case "subscript_expression": {
        const place = this.element(inner);
        return (thread) => elementAt(thread, place(thread));
      }
      default:
        throw new Unreadable();
    }
  }

  element(node: SyntaxNode): (thread: Thread) => string {
    const [base] = node.descendantsOfType("identifier");
    const dimensions = this.dimensions.get(base?.text ?? "");
    const access = base && dimensions !== undefined ? elementOf(base, dimensions) : undefined;
    if (access === undefined || access.node.id !== node.id) throw new Unreadable();
    const indices = access.indices.map((index) => this.value(index));
    return (thread) => `${base?.text}[${indices.map((index) => index(thread)).join("][")}]`;
  }

  private name(name: string): Reading {
    const meaning = this.view.scope.meaning(name);
    const read =
      meaning === undefined || typeof meaning === "string" ? undefined : readable(() => this.value(meaning));
    // What a turn of the loop has set holds the value of then.
    return (thread) => thread.locals.get(name) ?? known(read)(thread);
  }

  private builtin(text: string): Reading {
    if (text === "threadIdx.x") return ({ number }) => number;
    if (text === "blockDim.x") return () => this.size;
    throw new Unreadable();
  }

  private call(call: SyntaxNode): Reading {
    const given = partsOf(call.childForFieldName("arguments")).map((part) => this.value(part));
    const function_ = known(callOf(compact(call.childForFieldName("function")), given.length));
    return (thread) => function_(...given.map((part) => part(thread)));
  }

  private all(statements: readonly SyntaxNode[]): Act {
    const acts = statements.filter(({ type }) => type !== "comment").map((each) => this.statement(each));
    return function* run(thread) {
      for (const act of acts) yield* act(thread);
    };
  }

  private statement(statement: SyntaxNode): Act {
    if (compact(statement) === "__syncthreads();")
      return function* wait() {
        yield;
      };
    switch (statement.type) {
      case "compound_statement":
        return this.all(partsOf(statement));
      case "if_statement":
        return this.choice(statement);
      case "declaration":
        return atOnce(this.declared(statement));
      case "expression_statement":
        return atOnce(partsOf(statement).map((act) => this.change(act)));
      default:
        throw new Unreadable();
    }
  }

  private choice(statement: SyntaxNode): Act {
    const asked = this.value(known(statement.childForFieldName("condition")?.childForFieldName("value")));
    const otherwise = statement.childForFieldName("alternative");
    const yes = this.all(statementsOf(statement.childForFieldName("consequence")));
    const no = this.all(statementsOf(otherwise?.type === "else_clause" ? partsOf(otherwise)[0] : otherwise));
    return function* run(thread) {
      yield* asked(thread) === 0 ? no(thread) : yes(thread);
    };
  }

  private declared(statement: SyntaxNode): readonly ((thread: Thread) => void)[] {
    return statement.childrenForFieldName("declarator").flatMap((declarator) => {
      if (declarator.type === "identifier") return [];
      const name = declarator.childForFieldName("declarator");
      if (name?.type !== "identifier") throw new Unreadable();
      const value = this.value(known(declarator.childForFieldName("value")));
      return [(thread: Thread) => void thread.locals.set(name.text, value(thread))];
    });
  }

  private change(act: SyntaxNode): (thread: Thread) => void {
    if (act.type === "comma_expression") {
      const parts = partsOf(act).map((part) => this.change(part));
      return (thread) => {
        for (const part of parts) part(thread);
      };
    }
    const target = unwrapped(known(act.childForFieldName("left") ?? act.childForFieldName("argument")));
    const store = this.target(target);
    if (act.type === "update_expression") {
      const before = this.value(target);
      return (thread) => store(thread, before(thread) + (act.text.includes("++") ? 1 : -1));
    }
    if (act.type !== "assignment_expression") throw new Unreadable();
    const value = this.value(known(act.childForFieldName("right")));
    const operator = fieldText(act, "operator").slice(0, -1);
    if (operator === "") return (thread) => store(thread, value(thread));
    const [operation, before] = [known(operations[operator]), this.value(target)];
    return (thread) => store(thread, operation(before(thread), value(thread)));
  }

  private target(target: SyntaxNode): (thread: Thread, value: number) => void {
    if (target.type === "identifier") return ({ locals }, value) => void locals.set(target.text, value);
    const place = this.element(target);
    return (thread, value) => void thread.shared.set(place(thread), value);
  }
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Unreadable();
  return value;
}

function numberOf(text: string): Reading {
  const value = Number(text.replace(/[uUlLfF]+$/, ""));
  if (Number.isNaN(value)) throw new Unreadable();
  return () => value;
}

function signed(operator: string, value: Reading): Reading {
  if (operator === "-") return (thread) => -value(thread);
  if (operator === "!") return (thread) => Number(value(thread) === 0);
  throw new Unreadable();
}

function atOnce(acts: readonly ((thread: Thread) => void)[]): Act {
  return function* run(thread) {
    for (const act of acts) act(thread);
  };
}

/** What an element holds; where nobody has stored it, a number of its own. */
export function elementAt({ shared }: Pick<Thread, "shared">, place: string): number {
  const held = shared.get(place);
  if (held !== undefined) return held;
  let hash = 17;
  for (const sign of place) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 65_521;
  const made = ((hash * 7919) % 4093) - 2000;
  shared.set(place, made);
  return made;
}
