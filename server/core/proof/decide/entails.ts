import { isImpossible } from "./infeasible";
import {
  constantForm,
  type Form,
  minus,
  OutOfReachError,
  symbolsOf,
  symbolsOfKey,
  termsKey,
  tightened,
  timesMonomial,
} from "./form";

/** Facts that a question may draw in. */
const mostFacts = 70;
/** A thread's index leads to the grid, that to a quotient, of another one, of a size that has an end. */
const rounds = 4;
/** Constants of facts that are multiplied: greater ones are the ends of what is spoken of. */
const largestFactor = 2 ** 20;
/** Of products of facts. */
const highestDegree = 3;

/** Facts, each a form that is not negative, and which symbols are never negative. */
export interface Knowledge {
  readonly facts: readonly Form[];
  readonly isNonNegative: (symbol: number) => boolean;
}

/**
 * Whether a form is at least zero wherever all facts hold: Fourier and Motzkin's elimination over the
 * monomials, with coefficients divided by what they have in common and constants rounded, since all values
 * are whole. Products of facts with symbols that are not negative are added where the question has such
 * monomials. False says that this procedure did not show it, not that it does not hold.
 */
export function entails(knowledge: Knowledge, goal: Form): boolean {
  if (goal.terms.size === 0) return goal.constant >= 0;
  try {
    const facts = relevant(knowledge.facts, goal).map(tightened);
    const against = minus(constantForm(-1), goal);
    if (isImpossible([against, ...facts])) return true;
    if (degreeOf(goal) < 2) return false;
    return isImpossible([against, ...facts, ...productsFor(facts, goal, knowledge.isNonNegative)]);
  } catch (thrown) {
    if (thrown instanceof OutOfReachError) return false;
    throw thrown;
  }
}

/** Facts that share symbols with the question, and those that share symbols with them. */
function relevant(facts: readonly Form[], goal: Form): readonly Form[] {
  const known = new Set(symbolsOf(goal));
  const chosen: Form[] = [];
  let others = facts.map((form) => ({ form, symbols: [...symbolsOf(form)] }));
  for (let round = 0; round < rounds && chosen.length < mostFacts; round += 1) {
    const near = others.filter(({ symbols }) => symbols.some((symbol) => known.has(symbol)));
    if (near.length === 0) break;
    others = others.filter((each) => !near.includes(each));
    for (const { form, symbols } of near) {
      chosen.push(form);
      for (const symbol of symbols) known.add(symbol);
    }
  }
  return chosen.slice(0, mostFacts);
}

/**
 * Facts about a symbol, times the rest of each monomial of the question that the symbol stands in; then the
 * same for the monomials that these bring in.
 */
function productsFor(
  facts: readonly Form[],
  goal: Form,
  isNonNegative: Knowledge["isNonNegative"],
): readonly Form[] {
  const products = new Map<string, Form>();
  const done = new Set<string>();
  let monomials = new Set(goal.terms.keys());
  for (let round = 0; round < 2; round += 1) {
    const made = [...monomials].flatMap((key) => multiplied(facts, symbolsOfKey(key), isNonNegative));
    for (const form of made) products.set(`${form.constant}|${termsKey(form)}`, form);
    for (const key of monomials) done.add(key);
    const all = [...products.values()].flatMap(({ terms }) => [...terms.keys()]);
    monomials = new Set(all.filter((key) => !done.has(key)));
  }
  return [...products.values()].slice(0, 2 * mostFacts);
}

/** Facts in which a symbol stands alone, times the others of a monomial, for each of its symbols. */
function multiplied(
  facts: readonly Form[],
  symbols: readonly number[],
  isNonNegative: Knowledge["isNonNegative"],
): readonly Form[] {
  if (symbols.length < 2) return [];
  return symbols.flatMap((symbol, index) => {
    const rest = symbols.filter((_, other) => other !== index);
    if (!rest.every(isNonNegative)) return [];
    return facts
      .filter((fact) => isFactor(fact, String(symbol)) && degreeOf(fact) + rest.length <= highestDegree)
      .map((fact) => timesMonomial(fact, rest.join(".")));
  });
}

/** Whether a fact tells of a symbol by itself, in numbers that a product keeps small. */
function isFactor({ constant, terms }: Form, symbol: string): boolean {
  return terms.has(symbol) && Math.abs(constant) < largestFactor;
}

function degreeOf({ terms }: Form): number {
  return Math.max(0, ...[...terms.keys()].map((key) => symbolsOfKey(key).length));
}
