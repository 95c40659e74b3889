import { at } from "../../base/known";
import { constantForm, type Form, keyOf, minus, product, shifted, symbolForm } from "./form";

/** Why a value is not followed, and where. */
export interface Unfollowed {
  readonly why: string;
  /** Index of a location of the module. */
  readonly location: number;
}

export interface SymbolFacts {
  /** For messages. */
  readonly name: string;
  readonly low?: number;
  readonly high?: number;
  /** The symbol counts the rounds of a loop. */
  readonly isCounter?: boolean;
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
    const form = this.add({ name: "a quotient", ...(low === undefined ? {} : { low }) });
    const rest = minus(dividend, product(form, divisor));
    this.state(rest);
    this.state(shifted(minus(divisor, rest), -1));
    this.made.set(key, form);
    return form;
  }
}
