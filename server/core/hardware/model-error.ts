import type { CacheState } from "./timing-plan";

/** How far the model was off on one shape that a GPU was timed with. */
export interface ModelError {
  readonly sizes: Readonly<Record<string, number>>;
  readonly cache: CacheState;
  /** By the simulation of the machine code, or by the modelled bound. */
  readonly by: "simulation" | "bound";
  readonly modelledNanoseconds: number;
  /** What a timer tells of a kernel that does nothing; no part of the modelled time. None in earlier logs. */
  readonly launchNanoseconds?: number;
  /** The measured time by the modelled one and that. */
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
type ModelledTime = Pick<ModelError, "sizes" | "by"> & {
  readonly nanoseconds: number;
  /** A kernel that does nothing: what events around one tell, and from one to the next in a row. */
  readonly launch: { readonly eventNanoseconds: number; readonly gapNanoseconds: number };
};

/** Calls between the two events of a sustained time. */
const sustainedCalls = 3;

/**
 * The error on the modelled shape: against the cold time where there is one, since the model begins with
 * nothing in the caches. Undefined where that shape was not timed, or nothing was modelled.
 */
export function modelError(
  shapes: readonly TimedShape[],
  { sizes, by, nanoseconds, launch }: ModelledTime,
): ModelError | undefined {
  const own = shapes.filter((shape) => sameSizes(shape.sizes, sizes));
  const timed = own.find(({ cache }) => cache === "cold") ?? own[0];
  if (timed === undefined || !(nanoseconds > 0)) return undefined;
  const { cache } = timed;
  const launchNanoseconds = Math.round(emptyKernel(launch, cache));
  const ratio = timed.nanoseconds / (nanoseconds + launchNanoseconds);
  return { sizes, cache, by, modelledNanoseconds: nanoseconds, launchNanoseconds, ratio };
}

/** What a kernel that does nothing takes as it is timed: alone, or as each of several in a row. */
function emptyKernel(
  { eventNanoseconds, gapNanoseconds }: ModelledTime["launch"],
  cache: CacheState,
): number {
  if (cache === "cold") return eventNanoseconds;
  return (eventNanoseconds + (sustainedCalls - 1) * gapNanoseconds) / sustainedCalls;
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
