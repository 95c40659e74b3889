import { at, entry } from "../../base/known";

type Sizes = Readonly<Record<string, number>>;

/** Smaller shapes that are tried for one failure, at most. */
const mostTried = 32;

/**
 * Searches the smallest sizes that still fail. Yields sizes to be tried, the cheapest first, and is handed
 * back whether they fail; gives the smallest that did, `undefined` where none did. All sizes are cut to 1, 2,
 * 3, 5, 9 … (one more than powers of two) together; then each one by itself, to its least value and by
 * halves. A size stays a multiple of what all of its listed values are multiples of: kernels are made for
 * such sizes.
 */
export function* smallerSizes(
  failing: Sizes,
  listed: readonly Sizes[],
): Generator<Sizes, Sizes | undefined, boolean> {
  const steps = Object.fromEntries(
    Object.keys(failing).map((name) => [name, multipleOfAll([failing, ...listed].flatMap(valuesOf(name)))]),
  );
  const known = new Map<string, boolean>();
  function* fails(sizes: Sizes): Generator<Sizes, boolean, boolean> {
    const text = JSON.stringify(sizes);
    const isKnown = known.get(text) ?? (known.size < mostTried && (yield sizes));
    known.set(text, isKnown);
    return isKnown;
  }
  let smallest: Sizes | undefined;
  for (const sizes of cutTogether(failing, steps)) {
    if (!(yield* fails(sizes))) continue;
    smallest = sizes;
    break;
  }
  for (const [name, step] of Object.entries(steps)) {
    let most = entry(smallest ?? failing, name);
    let passed = 0;
    let next = step;
    while (next < most) {
      const sizes: Sizes = { ...(smallest ?? failing), [name]: next };
      if (yield* fails(sizes)) {
        smallest = sizes;
        most = next;
      } else passed = next;
      next = passed + step * Math.max(1, Math.floor((most - passed) / step / 2));
    }
  }
  return smallest;
}

/** All sizes at once, each no larger than it was; ascending, without those that are the failing ones. */
function* cutTogether(failing: Sizes, steps: Sizes): Generator<Sizes> {
  const largest = Math.max(0, ...Object.values(failing));
  let before = "";
  for (let power = 0; power === 0 || 2 ** (power - 2) < largest; power += 1) {
    const most = power < 2 ? power + 1 : 2 ** (power - 1) + 1;
    const cut = Object.fromEntries(
      Object.entries(failing).map(([name, size]) => [name, Math.min(size, most * entry(steps, name))]),
    );
    const text = JSON.stringify(cut);
    if (text === JSON.stringify(failing)) return;
    if (text !== before) yield cut;
    before = text;
  }
}

function valuesOf(name: string): (sizes: Sizes) => readonly number[] {
  return ({ [name]: size }) => (size === undefined ? [] : [size]);
}

/** The largest power of two that one value is a multiple of says little above this. */
const mostStepOfOne = 128;

/** What sizes are multiples of: of several values their common divisor, of one its power of two. */
export function multipleOfAll(values: readonly number[]): number {
  const different = [...new Set(values)].filter((value) => value > 0);
  if (different.length === 0) return 1;
  if (different.length > 1) return different.reduce(commonDivisor);
  return commonDivisor(at(different, 0), mostStepOfOne);
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
