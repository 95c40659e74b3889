import { at } from "../../base/known";
import { type Form, termsKey, tightened } from "./form";
import { type Tableau, startTableau, weightsOf } from "./tableau";

/** What weights are whole multiples of parts of, at most. */
const mostParts = 300;
const mostColumns = 80;

/**
 * Whether no whole numbers make all forms at least zero, shown by a sum of multiples of them in which every
 * monomial cancels and a negative number is left (Farkas). The multiples are found in floating point; the sum
 * is then made in whole numbers, so that a wrong guess shows nothing.
 */
export function isImpossible(forms: readonly Form[]): boolean {
  const rows = strictestOf(forms);
  if (rows === undefined) return true;
  const columns = [...new Set(rows.flatMap(({ terms }) => [...terms.keys()]))];
  if (columns.length > mostColumns || rows.length === 0) return false;
  const tableau = startTableau(rows, columns);
  const weights = tableau && weightsFrom(tableau, rows.length);
  return weights !== undefined && isContradiction(rows, weights);
}

/**
 * Forms tightened; of those that differ in their constant alone, the strictest. Undefined where one is
 * negative anyway.
 */
function strictestOf(forms: readonly Form[]): readonly Form[] | undefined {
  const strictest = new Map<string, Form>();
  for (const form of forms) {
    const tight = tightened(form);
    if (tight.terms.size === 0 && tight.constant < 0) return undefined;
    if (tight.terms.size === 0) continue;
    const key = termsKey(tight);
    const before = strictest.get(key);
    if (before === undefined || tight.constant < before.constant) strictest.set(key, tight);
  }
  return [...strictest.values()];
}

/** Whole weights near those that the tableau comes to. */
function weightsFrom(tableau: Tableau, rows: number): readonly number[] | undefined {
  const found = weightsOf(tableau, rows);
  if (found === undefined) return undefined;
  const least = Math.min(...found.filter((weight) => weight > 1e-9));
  for (let parts = 1; parts <= mostParts; parts += 1) {
    const scaled = found.map((weight) => (weight > 1e-9 ? (weight / least) * parts : 0));
    const whole = scaled.map(Math.round);
    if (scaled.every((weight, index) => Math.abs(weight - at(whole, index)) < 1e-6 * Math.max(1, weight)))
      return whole;
  }
  return undefined;
}

/** Whether the weighted sum of the rows is a negative number, reckoned in whole numbers of any size. */
function isContradiction(rows: readonly Form[], weights: readonly number[]): boolean {
  const sums = new Map<string, bigint>();
  let constant = 0n;
  for (const [index, { constant: own, terms }] of rows.entries()) {
    const weight = at(weights, index);
    if (weight === 0) continue;
    const times = BigInt(weight);
    constant += times * BigInt(own);
    for (const [key, coefficient] of terms)
      sums.set(key, (sums.get(key) ?? 0n) + times * BigInt(coefficient));
  }
  return constant < 0n && [...sums.values()].every((sum) => sum === 0n);
}
