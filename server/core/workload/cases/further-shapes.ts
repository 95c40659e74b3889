import { entry } from "../../base/known";
import type { KernelSpec, ShapeCase } from "../spec";

/** Products of all sizes up to which a further shape is tried, or so many times the largest listed one. */
const leastVolume = 2 ** 21;
/** Two sizes that are both somewhat more than twice as large. */
const mostTimes = 4.5;
/** Behind what sixteen bits hold, and no multiple of anything. */
const behindSixteenBits = 65_537 + 66;
/** How many times the largest listed size that may be: kernels are made for a range of sizes. */
const mostGrowth = 10;

/**
 * Shapes that a spec does not list, each as alternatives of which the first that the baseline can run is
 * meant: all sizes a little more than twice as large as the largest listed ones (odd, else even), all even
 * and no power of two, all powers of two where no listed shape has such sizes alone, and each size that comes
 * near it alone behind what sixteen bits hold. None for recorded shapes, whose contents are given.
 */
export function furtherShapes({ shapes }: Pick<KernelSpec, "shapes">): readonly (readonly ShapeCase[])[] {
  const [first] = shapes;
  if (first === undefined || shapes.some(isRecorded)) return [];
  const names = Object.keys(first.sizes);
  const listed = (name: string): readonly number[] => shapes.map(({ sizes }) => entry(sizes, name));
  const most = Math.max(leastVolume, mostTimes * Math.max(...shapes.map(({ sizes }) => volumeOf(sizes))));
  const made = (sizeOf: (name: string) => number): ShapeCase => ({
    ...(first.values === undefined ? {} : { values: first.values }),
    sizes: Object.fromEntries(names.map((name) => [name, sizeOf(name)])),
  });
  const largest = (name: string): number => Math.max(...listed(name));
  const grown = [
    made((name) => 2 * largest(name) + (largest(name) > 1 ? 1 : -1)),
    made((name) => (largest(name) > 1 ? 2 * largest(name) : 1)),
    made((name) => (name === names[0] ? 2 * largest(name) : largest(name))),
  ];
  const even = [made((name) => (largest(name) > 1 ? evenBehind(2 * largest(name)) : 1))];
  const varies = (name: string): boolean => shapes.length === 1 || new Set(listed(name)).size > 1;
  const powers = shapes.some(({ sizes }) => Object.values(sizes).every(isPowerOfTwo))
    ? []
    : [
        made((name) => powerOfTwo(largest(name), Math.ceil)),
        made((name) => powerOfTwo(largest(name), Math.floor)),
        made((name) => (varies(name) ? powerOfTwo(largest(name), Math.floor) : largest(name))),
      ];
  const long = names
    .filter((name) => mostGrowth * largest(name) >= behindSixteenBits)
    .map((grows) =>
      [behindSixteenBits, 2 ** 17].map((size) =>
        made((name) => (name === grows ? size : Math.min(...listed(name)))),
      ),
    );
  const isNew = ({ sizes }: ShapeCase): boolean =>
    volumeOf(sizes) <= most &&
    !shapes.some((each) => names.every((name) => each.sizes[name] === sizes[name]));
  return [grown, even, powers, ...long]
    .map((group) => group.filter(isNew))
    .filter((group) => group.length > 0);
}

/**
 * Shapes with rows of many numbers, and as few rows as are listed, as alternatives: the last size of the
 * first input behind what sixteen bits hold. None where no size has that name, or contents are recorded.
 */
export function longShapes({ inputs, shapes }: Pick<KernelSpec, "inputs" | "shapes">): readonly ShapeCase[] {
  const [input] = Object.values(inputs);
  const [first] = shapes;
  const length = input?.shape.at(-1);
  if (first === undefined || shapes.some(isRecorded)) return [];
  if (typeof length !== "string" || !Object.hasOwn(first.sizes, length)) return [];
  return [behindSixteenBits, 2 ** 16].map((size) => ({
    ...(first.values === undefined ? {} : { values: first.values }),
    sizes: Object.fromEntries(
      Object.keys(first.sizes).map((name) => [
        name,
        name === length ? size : Math.min(...shapes.map(({ sizes }) => entry(sizes, name))),
      ]),
    ),
  }));
}

function isRecorded({ recorded = {} }: ShapeCase): boolean {
  return Object.keys(recorded).length > 0;
}

/** The next even size that is no power of two: versions may be meant for odd sizes, or for powers. */
function evenBehind(size: number): number {
  const next = size + 2 - (size % 2);
  return isPowerOfTwo(next) ? next + 2 : next;
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size));
}

/** The power of two next to a size, on the side that `round` says; a size without elements stays. */
function powerOfTwo(size: number, round: (exponent: number) => number): number {
  return size > 0 ? 2 ** round(Math.log2(size)) : size;
}

function volumeOf(sizes: ShapeCase["sizes"]): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}
