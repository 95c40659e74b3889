import {
  isConstant,
  keyOf,
  minus,
  plus,
  scaled,
  substituted,
  type Form,
  symbolForm,
  symbolsOf,
} from "../decide/form";
import { rewritten } from "../decide/condition";
import type { State, Value } from "./state";
import type { Symbols } from "../decide/symbols";

/**
 * The state with what an equation says in place of a loop's counter: behind a loop that ends when a number
 * reaches another, the counter is known.
 */
export function withoutCounters(symbols: Symbols, state: State): State {
  const solved = solve(symbols, state.facts);
  if (solved === undefined) return state;
  const replacements = new Map([solved]);
  const replace = (form: Form): Form => substituted(form, replacements);
  const registers = new Map<number, Value>();
  for (const [register, value] of state.registers)
    registers.set(register, value.kind === "number" ? { ...value, form: replace(value.form) } : value);
  const [counter, form] = solved;
  const own = symbolForm(counter);
  const others = state.facts.map(replace).filter((each) => !isConstant(each));
  return {
    registers,
    facts: [...others, form, minus(own, form), minus(form, own)],
    choices: state.choices.map((choice) => rewritten(choice, replace)),
  };
}

/** A counter and what it equals by two opposite facts. */
function solve(symbols: Symbols, facts: readonly Form[]): readonly [number, Form] | undefined {
  const known = new Set(facts.map(keyOf));
  for (const fact of facts) {
    if (!known.has(keyOf(scaled(fact, -1)))) continue;
    for (const [key, coefficient] of fact.terms) {
      const symbol = Number(key);
      if (key.includes(".") || symbols.of(symbol).counts === undefined) continue;
      const rest = minus(fact, { constant: 0, terms: new Map([[key, coefficient]]) });
      const isElsewhere = facts.filter((each) => symbolsOf(each).has(symbol)).length > 2;
      if (symbolsOf(rest).has(symbol) || !isElsewhere) continue;
      const solution = dividedBy(scaled(rest, -1), coefficient);
      if (solution !== undefined) return [symbol, solution];
    }
  }
  return undefined;
}

/** A form divided by a number, where nothing is left over. */
function dividedBy(form: Form, divisor: number): Form | undefined {
  const parts = [form.constant, ...form.terms.values()];
  if (parts.some((part) => part % divisor !== 0)) return undefined;
  return plus(
    { constant: form.constant / divisor, terms: new Map() },
    { constant: 0, terms: new Map([...form.terms].map(([key, value]) => [key, value / divisor])) },
  );
}
