import type { CacheState } from "./timing-plan";

/** How far the model was off on one shape that a GPU was timed with. */
export interface ModelError {
  readonly sizes: Readonly<Record<string, number>>;
  readonly cache: CacheState;
  /** By the simulation of the machine code, or by the modelled bound. */
  readonly by: "simulation" | "bound";
  readonly modelledNanoseconds: number;
  /** The measured time by the modelled one. */
  readonly ratio: number;
}

/** The errors of the model on all that one GPU was timed with; ratios as of one error. */
export interface ErrorsOfGpu {
  readonly count: number;
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

/** A shape as it was timed. */
interface TimedShape {
  readonly sizes: Readonly<Record<string, number>>;
  readonly cache: CacheState;
  readonly nanoseconds: number;
}

/** What the model said of a shape. */
type ModelledTime = Pick<ModelError, "sizes" | "by"> & { readonly nanoseconds: number };

/**
 * The error on the modelled shape: against the sustained time where there is one, since the model has warm
 * launches in mind. Undefined where that shape was not timed, or nothing was modelled.
 */
export function modelError(
  shapes: readonly TimedShape[],
  { sizes, by, nanoseconds }: ModelledTime,
): ModelError | undefined {
  const own = shapes.filter((shape) => sameSizes(shape.sizes, sizes));
  const timed = own.find(({ cache }) => cache === "sustained") ?? own[0];
  if (timed === undefined || !(nanoseconds > 0)) return undefined;
  const ratio = timed.nanoseconds / nanoseconds;
  return { sizes, cache: timed.cache, by, modelledNanoseconds: nanoseconds, ratio };
}

function sameSizes(a: ModelError["sizes"], b: ModelError["sizes"]): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** What ratios come to; undefined where there are none. */
export function errorsOf(ratios: readonly number[]): ErrorsOfGpu | undefined {
  const sorted = ratios.toSorted((a, b) => a - b);
  const [least] = sorted;
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  const greatest = sorted.at(-1);
  if (least === undefined || median === undefined || greatest === undefined) return undefined;
  return { count: sorted.length, median, least, greatest };
}
