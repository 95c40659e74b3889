import { evaluateSizeExpression } from "../../size-expression";
import type { SizeExpression } from "../../spec";
import type { Sample } from "../sample";

/** Samples that a product has to give: of fewer one fits by chance. */
const leastSamples = 3;
const mostFactors = 4;
/** Of more terms there are too many products. */
const mostTerms = 12;

interface Factor {
  readonly text: string;
  /** Of each sample. */
  readonly values: readonly number[];
  readonly isTerm: boolean;
}

/**
 * The shortest product of sizes and terms, one term at least, that gives every sample exactly: the elements
 * of what a filter leaves of pictures. `terms`: what code computes of the sizes. Undefined where no product
 * does.
 */
export function fitTerms(samples: readonly Sample[], terms: readonly string[]): SizeExpression | undefined {
  const [first] = samples;
  if (first === undefined || samples.length < leastSamples) return undefined;
  const factors = [
    ...Object.keys(first.sizes).flatMap((name) => factorOf(samples, name, false)),
    ...terms.slice(0, mostTerms).flatMap((term) => factorOf(samples, term, true)),
  ];
  for (let count = 1; count <= mostFactors; count += 1)
    for (const product of chosen(factors, count))
      if (product.some(({ isTerm }) => isTerm) && gives(product, samples)) return textOf(product);
  return undefined;
}

function factorOf(samples: readonly Sample[], text: string, isTerm: boolean): readonly Factor[] {
  const values = samples.flatMap(({ sizes }) => {
    const value = evaluateSizeExpression(text, sizes);
    return value.ok && value.value > 0 ? value.value : [];
  });
  return values.length < samples.length ? [] : [{ text, values, isTerm }];
}

/** All choices of so many factors, in their order. */
function* chosen(factors: readonly Factor[], count: number): Generator<readonly Factor[]> {
  if (count === 0) yield [];
  else
    for (const [index, factor] of factors.entries())
      for (const others of chosen(factors.slice(index + 1), count - 1)) yield [factor, ...others];
}

function gives(product: readonly Factor[], samples: readonly Sample[]): boolean {
  return samples.every(
    ({ value }, index) => product.reduce((left, { values }) => left * (values[index] ?? 1), 1) === value,
  );
}

function textOf(product: readonly Factor[]): string {
  if (product.length === 1) return product.map(({ text }) => text).join("");
  return product.map(({ text }) => (/^\w+$/.test(text) ? text : `(${text})`)).join(" * ");
}
