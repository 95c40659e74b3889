import { type Condition, truthOf } from "../decide/condition";
import { entails, type Knowledge } from "../decide/entails";
import { constantForm, type Form, isConstant, keyOf, minus, symbolsOf } from "../decide/form";
import type { Symbols } from "../decide/symbols";

/** What a register holds: a number, perhaps counted from the start of some memory, or a predicate. */
export type Value =
  /** The register's bits are those of the form's value, whatever the register is too narrow for cut off. */
  | { readonly kind: "number"; readonly form: Form; readonly base?: string }
  | { readonly kind: "predicate"; readonly condition: Condition };

/** What is known where control is. */
export interface State {
  readonly registers: ReadonlyMap<number, Value>;
  /** Forms that are not negative here. */
  readonly facts: readonly Form[];
  /** Conditions that hold here, each with several ways to be true. */
  readonly choices: readonly Condition[];
}

/** How many choices are looked into one inside the other. */
const deepestChoice = 2;
const mostChoices = 3;

/** A state in which a condition holds besides; undefined where it cannot. */
export function assume(state: State, condition: Condition): State | undefined {
  const facts = [...state.facts];
  const choices = [...state.choices];
  const pending: Condition[] = [condition];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const truth = truthOf(each);
    if (truth === false) return undefined;
    if (truth === true) continue;
    if (each.kind === "not-negative") facts.push(each.form);
    else if (each.kind === "all") pending.push(...each.of);
    else if (each.kind === "any") {
      const open = each.of.filter((one) => truthOf(one) !== false);
      const [only] = open;
      if (open.length === 1 && only !== undefined) pending.push(only);
      else choices.push({ kind: "any", of: open });
    }
  }
  return { registers: state.registers, facts, choices };
}

/** Asks what holds in states, and counts what it costs. */
export class Prover {
  /** Questions asked so far. */
  asked = 0;
  private readonly answers = new WeakMap<readonly Form[], Map<string, boolean>>();

  constructor(
    private readonly symbols: Pick<Symbols, "facts" | "isNonNegative">,
    private readonly mostQuestions: number,
  ) {}

  get isExhausted(): boolean {
    return this.asked > this.mostQuestions;
  }

  /** Whether a form is at least zero in a state, as far as it can be shown. */
  holds(state: Pick<State, "facts" | "choices">, goal: Form): boolean {
    if (isConstant(goal)) return goal.constant >= 0;
    const known = this.answers.get(state.facts) ?? new Map<string, boolean>();
    this.answers.set(state.facts, known);
    const key = `${state.choices.length} ${keyOf(goal)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = this.decide(state.facts, state.choices, goal);
    known.set(key, answer);
    return answer;
  }

  equal(state: State, a: Form, b: Form): boolean {
    return this.holds(state, minus(a, b)) && this.holds(state, minus(b, a));
  }

  /** Whether a form lies between two numbers in a state. */
  lies(state: State, form: Form, [low, high]: readonly [number, number]): boolean {
    return (
      this.holds(state, minus(form, constantForm(low))) && this.holds(state, minus(constantForm(high), form))
    );
  }

  private decide(
    facts: readonly Form[],
    choices: readonly Condition[],
    goal: Form,
    depth = deepestChoice,
  ): boolean {
    if (this.isExhausted) return false;
    this.asked += 1;
    const knowledge: Knowledge = {
      facts: [...facts, ...this.symbols.facts],
      isNonNegative: this.symbols.isNonNegative,
    };
    if (entails(knowledge, goal)) return true;
    if (depth === 0) return false;
    const near = choices.filter((choice) => choice.kind === "any" && mentions(choice, symbolsOf(goal)));
    return near.slice(-mostChoices).some((choice) => {
      if (choice.kind !== "any") return false;
      const others = choices.filter((other) => other !== choice);
      return choice.of.every((way) => {
        const state = assume({ registers: new Map(), facts, choices: others }, way);
        return state === undefined || this.decide(state.facts, state.choices, goal, depth - 1);
      });
    });
  }
}

function mentions(condition: Condition, symbols: ReadonlySet<number>): boolean {
  if (condition.kind === "unknown") return false;
  if (condition.kind === "not-negative")
    return [...symbolsOf(condition.form)].some((symbol) => symbols.has(symbol));
  return condition.of.some((each) => mentions(each, symbols));
}
