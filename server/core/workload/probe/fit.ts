import { entry, last } from "../../base/known";
import type { SizeExpression } from "../spec";
import { fitRim, paddings, type Rim, wholeOf } from "./rim";
import type { Sample } from "./sample";
import { endOf, fitPlanes, fitStridedTensor, type StridedTensor, textOf } from "./strided-tensor";

/** A form that an extent may have: its value under some sizes, and its text. */
interface Form {
  readonly text: string;
  readonly of: (sizes: Sample["sizes"]) => number;
}

const [mostFactors, mostLong] = [3, 5];
const mostSlack = 64;
const mostFactor = 4096;
const divisors = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3, 5, 6, 10];
const widestHalo = 8;
/**
 * With more sizes than this only products of two and the first, simple forms are looked at: among so many one
 * would fit by chance.
 */
const [mostNames, simpleTries] = [5, 7];

/**
 * The simplest expression over the sizes that gives every sample exactly; undefined when none of the forms
 * does. Tried in this order: a constant, multiples of products of sizes, rows of one size with a stride of
 * another, a few such matrices, tensors with a stride for each axis, products of sizes with a small constant,
 * quotients rounded up, products of sizes with small constants (`(n + 1) * m`), rows of products of sizes,
 * sums of products, volumes with a border whose end is left out (`(n + 8) * (m + 8)`).
 * Samples should be as odd as can be, and at least three, so that no other form fits by chance.
 */
export function fitExtent(
  samples: readonly Sample[],
  divide: readonly number[] = [],
): SizeExpression | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  if (samples.every(({ value }) => value === first.value)) return first.value;
  const products = productsOf(Object.keys(first.sizes));
  const tries = [
    () =>
      firstFit(
        samples,
        [...products, ...triplesOf(first)].map((product) => multiple(first, product)),
      ) ?? (samples.length > 2 ? firstFit(samples, longProducts(Object.keys(first.sizes))) : undefined),
    () => firstFit(samples, strided(singlesOf(products), first)),
    () => tensorForm(fitPlanes(samples)),
    () => tensorForm(fitStridedTensor(samples)),
    () => pitchedRim(samples),
    () => rimmed(samples, [0]),
    () => covering(samples, [...products, ...triplesOf(first)]),
    () =>
      firstFit(
        samples,
        products.map((product) => shifted(samples, product)),
      ),
    () => firstFit(samples, quotients(products, [...divide, ...divisors], first)),
    () => firstFit(samples, groups(Object.keys(first.sizes), samples)),
    () => firstFit(samples, shares(Object.keys(first.sizes))),
    () => firstFit(samples, withHalo(Object.keys(first.sizes), first)),
    () => firstFit(samples, strided(products, first)),
    () => firstFit(samples, differences(samples)),
    () => firstFit(samples, sums(products, first)),
    () => rimmed(samples, paddings),
  ];
  const isMany = Object.keys(first.sizes).length > mostNames;
  for (const attempt of isMany ? tries.slice(0, simpleTries) : tries) {
    const found = attempt();
    if (found !== undefined) return found.text;
  }
  return undefined;
}

/** The rim that a kernel leaves out of a matrix or a volume of the sizes, with a border or without. */
export function rimOf(samples: readonly Sample[], padded = [0, ...paddings]): Rim | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  const products = productsOf(Object.keys(first.sizes)).map(({ text }) => text.split(" * "));
  const factors = products.filter(({ length }) => length > 1 && length <= mostFactors);
  return fitRim(samples, factors, padded);
}

function rimmed(samples: readonly Sample[], padded: readonly number[]): Form | undefined {
  const rim = rimOf(samples, [...padded]);
  if (rim === undefined) return undefined;
  const { factors, padding } = rim;
  const whole = (sizes: Sample["sizes"]): number =>
    factors.reduce((all, name) => all * (entry(sizes, name) + padding), 1);
  return { text: wholeOf(rim), of: whole };
}

/**
 * The smallest product of two or more sizes that covers every sample with less than two rows to spare: the
 * buffer of a kernel that leaves out the rim of a matrix or a volume.
 */
function covering(samples: readonly Sample[], products: readonly Form[]): Form | undefined {
  return products.find(
    (product) =>
      product.text.includes("*") &&
      samples.every(({ sizes }) => namesOf(product).every((name) => entry(sizes, name) >= leastOfMatrix)) &&
      samples.every(({ sizes, value }) => {
        const spare = product.of(sizes) - value;
        const narrowest = Math.min(...namesOf(product).map((name) => entry(sizes, name)));
        return spare >= 0 && spare <= (product.of(sizes) * 2) / narrowest + 2;
      }),
  );
}

/** A matrix that is narrower than this is one row, or all rim. */
const leastOfMatrix = 4;

function namesOf({ text }: Form): readonly string[] {
  return text.split(" * ");
}

function firstFit(samples: readonly Sample[], forms: Iterable<Form | undefined>): Form | undefined {
  for (const form of forms)
    if (form !== undefined && samples.every(({ sizes, value }) => form.of(sizes) === value)) return form;
  return undefined;
}

/** Products of up to three sizes, fewest factors first. */
function productsOf(names: readonly string[]): readonly Form[] {
  let layer: readonly (readonly string[])[] = names.map((name) => [name]);
  const all = [...layer];
  const most = names.length > mostNames ? 2 : mostFactors;
  for (let factors = 2; factors <= most; factors += 1) {
    layer = layer.flatMap((product) =>
      names.slice(names.indexOf(last(product))).map((name) => [...product, name]),
    );
    all.push(...layer);
  }
  if (names.length > mostFactors) all.push(names);
  return all.map((product) => ({ text: product.join(" * "), of: productOf(product) }));
}

/** Products of three sizes where `productsOf` leaves them out: no other form fits as exactly. */
function triplesOf({ sizes }: Sample): readonly Form[] {
  const names = Object.keys(sizes);
  if (names.length <= mostNames) return [];
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other, skipped) =>
        names
          .slice(index + skipped + 2)
          .map((third) => ({ text: `${one} * ${other} * ${third}`, of: productOf([one, other, third]) })),
      ),
  );
}

/** Products of four and five sizes, such as those of images and filters. */
function* longProducts(names: readonly string[]): Generator<Form> {
  let layer: readonly (readonly string[])[] = [[]];
  for (let factors = 1; factors <= mostLong; factors += 1) {
    layer = layer.flatMap((product) =>
      names.slice(names.indexOf(product.at(-1) ?? "") + 1).map((name) => [...product, name]),
    );
    if (factors > mostFactors) yield* layer.map((each) => ({ text: each.join(" * "), of: productOf(each) }));
  }
}

function tensorForm(tensor: StridedTensor | undefined): Form | undefined {
  return tensor && { text: textOf(tensor), of: (sizes) => endOf(tensor, sizes) };
}

/** Rows and columns that a kernel leaves out at the end of a matrix with a stride, at most. */
const widestPitchedRim = 4;

/** A matrix `(rows - 1) * stride + columns`, whole, of which the last rows and columns stay untouched. */
function pitchedRim(samples: readonly Sample[]): Form | undefined {
  const names = Object.keys(samples[0]?.sizes ?? {});
  for (const stride of names)
    for (const columns of names.filter((name) =>
      samples.every(({ sizes }) => entry(sizes, stride) > entry(sizes, name)),
    ))
      for (const rows of names.filter((name) => name !== stride)) {
        const whole = (sizes: Sample["sizes"]): number =>
          (entry(sizes, rows) - 1) * entry(sizes, stride) + entry(sizes, columns);
        const left = samples.map(({ sizes, value }) => {
          const most = whole(sizes) - value;
          const rowsLeft = Math.floor(most / entry(sizes, stride));
          return [rowsLeft, most - rowsLeft * entry(sizes, stride)] as const;
        });
        const [[first = 0, second = 0] = []] = left;
        const isNarrow = [first, second].every((width) => width >= 0 && width <= widestPitchedRim);
        if (isNarrow && left.every(([one, other]) => one === first && other === second))
          return { text: `(${rows} - 1) * ${stride} + ${columns}`, of: whole };
      }
  return undefined;
}

function singlesOf(products: readonly Form[]): readonly Form[] {
  return products.filter(({ text }) => !text.includes("*"));
}

/** It is asked for again and again, in all forms that it is a part of. */
function productOf(names: readonly string[]): Form["of"] {
  const known = new Map<Sample["sizes"], number>();
  return (sizes) => {
    const product = known.get(sizes) ?? names.reduce((value, name) => value * entry(sizes, name), 1);
    known.set(sizes, product);
    return product;
  };
}

/** `64 * n`: the factor follows from the first sample. */
function multiple(first: Sample, product: Form): Form | undefined {
  const factor = first.value / product.of(first.sizes);
  if (!Number.isInteger(factor) || factor < 1 || factor > mostFactor) return undefined;
  return factor === 1
    ? product
    : { text: `${factor} * ${product.text}`, of: (sizes) => factor * product.of(sizes) };
}

/** `2 * n + 1`: factor and constant follow from two samples. */
function shifted(samples: readonly Sample[], product: Form): Form | undefined {
  const [one, other] = samples;
  if (one === undefined || other === undefined) return undefined;
  const factor = (one.value - other.value) / (product.of(one.sizes) - product.of(other.sizes));
  if (!Number.isInteger(factor) || factor < 1 || factor > mostFactor) return undefined;
  const slack = one.value - factor * product.of(one.sizes);
  if (Math.abs(slack) > mostSlack) return undefined;
  const scaled = factor === 1 ? product.text : `${factor} * ${product.text}`;
  return {
    text: slack < 0 ? `${scaled} - ${-slack}` : `${scaled} + ${slack}`,
    of: (sizes) => factor * product.of(sizes) + slack,
  };
}

/** `ceil_div(n, 256)`, also times a size or a number. */
function* quotients(products: readonly Form[], by: readonly number[], first: Sample): Generator<Form> {
  const singles = singlesOf(products);
  const distinct = products.filter(({ text }) => !/\b(\w+)\b.*\b\1\b/.test(text));
  for (const divisor of new Set(by)) {
    for (const product of distinct) {
      const quotient: Form = {
        text: `ceil_div(${product.text}, ${divisor})`,
        of: (sizes) => Math.ceil(product.of(sizes) / divisor),
      };
      yield quotient;
      const factor = multiple(first, quotient);
      if (factor !== undefined) yield factor;
      for (const size of singles)
        yield* [1, divisor, divisor / 2, divisor / 4].filter(Number.isInteger).map((times) => ({
          text: `${times === 1 ? "" : `${times} * `}${size.text} * ${quotient.text}`,
          of: (sizes: Sample["sizes"]) => times * size.of(sizes) * quotient.of(sizes),
        }));
      const whole = (sizes: Sample["sizes"]): number => Math.floor(product.of(sizes) / divisor);
      yield { text: `${product.text} / ${divisor}`, of: whole };
      for (const size of singles)
        yield {
          text: `${size.text} * (${product.text} / ${divisor})`,
          of: (sizes) => size.of(sizes) * whole(sizes),
        };
    }
  }
}

/** Elements that are worked on as one: pairs, vectors. */
const groupSizes = [2, 3, 4, 8];

/** `2 * (n / 2)`, `n / 2 - 1`: whole pairs, and all but one of them. */
function* groups(names: readonly string[], samples: readonly Sample[]): Generator<Form> {
  const [one, other] = samples;
  if (one === undefined || other === undefined) return;
  for (const name of names)
    for (const size of groupSizes) {
      const count = (sizes: Sample["sizes"]): number => Math.floor(entry(sizes, name) / size);
      const factor = (one.value - other.value) / (count(one.sizes) - count(other.sizes));
      const slack = one.value - factor * count(one.sizes);
      if (!Number.isInteger(factor) || factor < 1 || factor > size || Math.abs(slack) > mostSlack) continue;
      const groupText = `(${name} / ${size})`;
      const rest = slack === 0 ? "" : ` ${slack < 0 ? "-" : "+"} ${Math.abs(slack)}`;
      yield {
        text: `${factor === 1 ? groupText : `${factor} * ${groupText}`}${rest}`,
        of: (sizes) => factor * count(sizes) + slack,
      };
    }
}

/** `ceil_div(n, m)`: one for so many of a size, where the number of elements and their share are passed. */
function* shares(names: readonly string[]): Generator<Form> {
  for (const all of names)
    for (const each of names)
      if (all !== each)
        yield {
          text: `ceil_div(${all}, ${each})`,
          of: (sizes) => Math.ceil(entry(sizes, all) / entry(sizes, each)),
        };
}

/** `(n + 1) * m`, `(n - 2) * (m - 2)`: those that give the first sample. */
function* withHalo(names: readonly string[], { sizes: own, value }: Sample): Generator<Form> {
  const steps = Array.from({ length: 2 * widestHalo + 1 }, (_, index) => index - widestHalo);
  for (const [index, one] of names.entries())
    for (const other of names.slice(index))
      for (const first of steps)
        for (const second of steps)
          if ((entry(own, one) + first) * (entry(own, other) + second) === value)
            yield {
              text: `${bracketed(one, first)} * ${bracketed(other, second)}`,
              of: (sizes) => (entry(sizes, one) + first) * (entry(sizes, other) + second),
            };
}

function bracketed(name: string, step: number): string {
  if (step === 0) return name;
  return step < 0 ? `(${name} - ${-step})` : `(${name} + ${step})`;
}

/** `(rows - 1) * stride + columns`, the last row is not padded: those that give the first sample. */
function* strided(products: readonly Form[], { sizes: own, value }: Sample): Generator<Form> {
  const singles = singlesOf(products);
  for (const rows of products)
    for (const stride of products) {
      const rest = value - (rows.of(own) - 1) * stride.of(own);
      for (const columns of singles.filter((each) => each.of(own) === rest))
        yield {
          text: `(${rows.text} - 1) * ${stride.text} + ${columns.text}`,
          of: (sizes) => (rows.of(sizes) - 1) * stride.of(sizes) + columns.of(sizes),
        };
    }
}

/** `n - m + 1`, `(n - m + 1) * (k - l + 1)`: where a window of some sizes fits into others. */
function* differences(samples: readonly Sample[]): Generator<Form> {
  const names = Object.keys(samples[0]?.sizes ?? {});
  const isMore = (one: string, other: string): boolean =>
    samples.every(({ sizes }) => entry(sizes, one) > entry(sizes, other));
  const each = names.flatMap((one) =>
    names
      .filter((other) => isMore(one, other))
      .flatMap((other) =>
        [0, 1].map((more) => ({
          text: `${one} - ${other}${more === 0 ? "" : " + 1"}`,
          of: (sizes: Sample["sizes"]) => entry(sizes, one) - entry(sizes, other) + more,
        })),
      ),
  );
  yield* each;
  for (const [index, one] of each.entries())
    for (const other of [...names.map(single), ...each.slice(index)])
      yield {
        text: `${/^\w+$/.test(other.text) ? other.text : `(${other.text})`} * (${one.text})`,
        of: (sizes) => one.of(sizes) * other.of(sizes),
      };
}

function single(name: string): Form {
  return { text: name, of: (sizes) => entry(sizes, name) };
}

/** `n + m`, `n * m + k - 1`. */
function* sums(products: readonly Form[], first: Sample): Generator<Form> {
  for (const [index, one] of products.entries())
    for (const other of products.slice(index + 1)) {
      const slack = first.value - one.of(first.sizes) - other.of(first.sizes);
      if (Math.abs(slack) > mostSlack) continue;
      const sum = `${one.text} + ${other.text}`;
      const rest = slack < 0 ? ` - ${-slack}` : ` + ${slack}`;
      yield {
        text: slack === 0 ? sum : `${sum}${rest}`,
        of: (sizes) => one.of(sizes) + other.of(sizes) + slack,
      };
    }
}
