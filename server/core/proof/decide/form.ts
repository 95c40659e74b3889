/**
 * A polynomial with whole coefficients over symbols, which stand for whole numbers. A monomial's key holds
 * the numbers of its symbols in ascending order: `3.3.7` is the square of symbol 3 times symbol 7.
 */
export interface Form {
  readonly constant: number;
  readonly terms: ReadonlyMap<string, number>;
}

/**
 * Thrown where a number leaves what doubles hold exactly, or a degree is too high: nothing is decided then.
 */
export class OutOfReachError extends Error {
  override readonly name = "OutOfReachError";
}

const highestDegree = 4;

export function constantForm(constant: number): Form {
  return { constant: exactly(constant), terms: new Map() };
}

export function symbolForm(symbol: number): Form {
  return { constant: 0, terms: new Map([[String(symbol), 1]]) };
}

/** The sum of a form and a multiple of another. */
export function plus(a: Form, b: Form, times = 1): Form {
  if (times === 0) return a;
  const terms = new Map(a.terms);
  for (const [key, coefficient] of b.terms) {
    const sum = exactly((terms.get(key) ?? 0) + exactly(coefficient * times));
    if (sum === 0) terms.delete(key);
    else terms.set(key, sum);
  }
  return { constant: exactly(a.constant + exactly(b.constant * times)), terms };
}

export function minus(a: Form, b: Form): Form {
  return plus(a, b, -1);
}

export function shifted(form: Form, by: number): Form {
  return { constant: exactly(form.constant + by), terms: form.terms };
}

export function scaled(form: Form, factor: number): Form {
  return plus(constantForm(0), form, factor);
}

export function product(a: Form, b: Form): Form {
  let result = scaled(a, b.constant);
  for (const [key, coefficient] of b.terms) result = plus(result, timesMonomial(a, key), coefficient);
  return result;
}

/** A form times a monomial. */
export function timesMonomial(form: Form, monomial: string): Form {
  const terms = new Map<string, number>();
  if (form.constant !== 0) terms.set(monomial, form.constant);
  for (const [key, coefficient] of form.terms) terms.set(joined(key, monomial), coefficient);
  return { constant: 0, terms };
}

function joined(a: string, b: string): string {
  const symbols = [...symbolsOfKey(a), ...symbolsOfKey(b)].sort((x, y) => x - y);
  if (symbols.length > highestDegree) throw new OutOfReachError("the degree of a product is too high");
  return symbols.join(".");
}

export function symbolsOfKey(key: string): readonly number[] {
  return key.split(".").map(Number);
}

const knownSymbols = new WeakMap<ReadonlyMap<string, number>, ReadonlySet<number>>();

/** Numbers of the symbols in a form. */
export function symbolsOf({ terms }: Form): ReadonlySet<number> {
  const known = knownSymbols.get(terms);
  if (known !== undefined) return known;
  const symbols = new Set([...terms.keys()].flatMap(symbolsOfKey));
  knownSymbols.set(terms, symbols);
  return symbols;
}

/** The form with other forms in place of symbols. */
export function substituted(form: Form, replacements: ReadonlyMap<number, Form>): Form {
  let result = constantForm(form.constant);
  for (const [key, coefficient] of form.terms) {
    const symbols = symbolsOfKey(key);
    const plain = symbols.every((symbol) => !replacements.has(symbol));
    const monomial = plain
      ? { constant: 0, terms: new Map([[key, 1]]) }
      : symbols
          .map((symbol) => replacements.get(symbol) ?? symbolForm(symbol))
          .reduce(product, constantForm(1));
    result = plus(result, monomial, coefficient);
  }
  return result;
}

/** Greatest common divisor of the coefficients; 0 for a constant. */
function divisorOf({ terms }: Form): number {
  let divisor = 0;
  for (const coefficient of terms.values()) divisor = commonDivisor(divisor, Math.abs(coefficient));
  return divisor;
}

/**
 * What says the same of "at least zero": divided by what the coefficients share, with the constant rounded,
 * since all values are whole.
 */
export function tightened(form: Form): Form {
  const divisor = divisorOf(form);
  if (divisor <= 1) return form;
  return {
    constant: Math.floor(form.constant / divisor),
    terms: new Map([...form.terms].map(([key, coefficient]) => [key, coefficient / divisor])),
  };
}

/** Whether every value of the form is a multiple of a number. */
export function isMultiple(form: Form, of: number): boolean {
  return form.constant % of === 0 && divisorOf(form) % of === 0;
}

/** Text that is the same for equal forms. */
export function keyOf(form: Form): string {
  return `${form.constant}|${termsKey(form)}`;
}

const knownKeys = new WeakMap<ReadonlyMap<string, number>, string>();

/** Text that is the same for forms that differ in their constants alone. */
export function termsKey({ terms }: Form): string {
  const known = knownKeys.get(terms);
  if (known !== undefined) return known;
  const key = [...terms]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([monomial, coefficient]) => `${coefficient}*${monomial}`)
    .join("+");
  knownKeys.set(terms, key);
  return key;
}

export function isConstant({ terms }: Form): boolean {
  return terms.size === 0;
}

function commonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function exactly(value: number): number {
  if (!Number.isSafeInteger(value)) throw new OutOfReachError("a number is too large");
  return value;
}
