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

/**
 * The upper 32 bits of a form's product with a factor of at most 32 bits. The form is never negative and has
 * so many bits.
 */
export interface UpperProduct {
  readonly of: Form;
  readonly factor: number;
  readonly bits: 31 | 32;
}

/** The whole numbers that forms are made of, and what always holds of them. */
export class Symbols {
  private readonly list: SymbolFacts[] = [];
  private readonly always: Form[] = [];
  private readonly made = new Map<string, Form>();
  private readonly uppers = new Map<number, UpperProduct>();

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

  /** What a symbol is the upper half of, where it is one. */
  upperProduct(symbol: number): UpperProduct | undefined {
    return this.uppers.get(symbol);
  }

  /** Remembers that a symbol is the upper half of a product. */
  noteUpper(form: Form, product: UpperProduct): void {
    for (const symbol of symbolsOf(form)) this.uppers.set(symbol, product);
  }

  /** The upper half of a product: one symbol for equal questions. */
  upper(product: UpperProduct): Form {
    const key = `${keyOf(product.of)} * ${product.factor}`;
    const before = this.made.get(key);
    if (before !== undefined) return before;
    const isUniform = [...symbolsOf(product.of)].every((symbol) => this.of(symbol).isUniform === true);
    const form = this.add({ name: "the upper half of a product", isUniform, low: 0 });
    this.noteUpper(form, product);
    this.state(minus(product.of, form));
    this.made.set(key, form);
    return form;
  }

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
