import { at } from "../../base/known";
import { constantForm, type Form, keyOf, minus, product, shifted, symbolForm, symbolsOf } from "./form";

/** Why a value is not followed, and where. */
export interface Unfollowed {
  readonly why: string;
  /** Index of a location of the module. */
  readonly location: number;
}

interface SymbolFacts {
  /** For messages. */
  readonly name: string;
  readonly low?: number;
  readonly high?: number;
  /** The symbol counts the rounds of the loop with this header. */
  readonly counts?: number;
  /** All threads of a block have the same value. */
  readonly isUniform?: boolean;
  /** The symbol stands for a value that nothing is known of. */
  readonly unfollowed?: Unfollowed;
}

/** The whole numbers that forms are made of, and what always holds of them. */
export class Symbols {
  private readonly list: SymbolFacts[] = [];
  private readonly always: Form[] = [];
  private readonly made = new Map<string, Form>();

  /** A new symbol as a form. */
  add(facts: SymbolFacts): Form {
    const form = symbolForm(this.list.push(facts) - 1);
    if (facts.low !== undefined) this.always.push(shifted(form, -facts.low));
    if (facts.high !== undefined) this.always.push(minus(constantForm(facts.high), form));
    return form;
  }

  /** Another symbol of the same kind, of which nothing is stated yet. */
  copy(symbol: number): Form {
    return symbolForm(this.list.push(this.of(symbol)) - 1);
  }

  /** States that a form is never negative. */
  state(form: Form): void {
    this.always.push(form);
  }

  get facts(): readonly Form[] {
    return this.always;
  }

  get count(): number {
    return this.list.length;
  }

  of(symbol: number): SymbolFacts {
    return at(this.list, symbol);
  }

  readonly isNonNegative = (symbol: number): boolean => (this.of(symbol).low ?? -1) >= 0;

  /**
   * The floor of a form divided by another, which is at least 1: one symbol for equal questions. `low`: the
   * least that it can be, where that is known.
   */
  quotient(dividend: Form, divisor: Form, low?: number): Form {
    const key = `${keyOf(dividend)} / ${keyOf(divisor)}`;
    const before = this.made.get(key);
    if (before !== undefined) return before;
    const parts = [...symbolsOf(dividend), ...symbolsOf(divisor)];
    const isUniform = parts.every((symbol) => this.of(symbol).isUniform === true);
    const form = this.add({ name: "a quotient", isUniform, ...(low === undefined ? {} : { low }) });
    const rest = minus(dividend, product(form, divisor));
    this.state(rest);
    this.state(shifted(minus(divisor, rest), -1));
    this.made.set(key, form);
    return form;
  }
}
