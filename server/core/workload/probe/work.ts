import { at } from "../../base/known";
import type { ProbeObservation } from "./observation";
import type { Setting } from "./settings";

/** A kernel's work does not grow slower, nor faster, with the product of its sizes. */
const [leastPower, greatestPower] = [0.5, 3];
/** Products that lie nearer to each other tell nothing of the power: it is taken to be one. */
const leastSpread = 1.5;
/**
 * How much a power of one size alone is held to the power of their product: a little, where probes tell it.
 */
const holding = 0.05;

/** Work that was seen, in logarithms: of the sizes, and of the warp-level instructions. */
interface WorkSample {
  readonly sizes: readonly number[];
  readonly work: number;
}

/**
 * Warp-level instructions of a launch by its sizes: a product of powers of them, of which those suit all
 * probes best that are near to the power of their product. Undefined where no work was seen.
 */
export function workBySizes(
  settings: readonly Setting[],
  observations: readonly Pick<ProbeObservation, "warpInstructions">[],
  names: readonly string[],
): ((sizes: Setting) => number) | undefined {
  const logarithms = (sizes: Setting): readonly number[] =>
    names.map((name) => Math.log(Math.max(1, sizes[name] ?? 1)));
  const samples = settings
    .map((sizes, index) => ({ sizes: logarithms(sizes), work: at(observations, index).warpInstructions }))
    .filter(({ work }) => work > 0)
    .map(({ sizes, work }) => ({ sizes, work: Math.log(work) }))
    .sort((a, b) => sum(a.sizes) - sum(b.sizes));
  const most = samples.at(-1);
  if (most === undefined) return undefined;
  const common = commonPower(samples);
  const powers = ownPowers(samples, common);
  return (sizes) =>
    Math.exp(
      logarithms(sizes).reduce(
        // A size below those of the probes may be one that hardly counted: it saves nothing.
        (work, each, index) => work + Math.max(0, each - at(most.sizes, index)) * at(powers, index),
        most.work,
      ),
    );
}

/** The power of the product of all sizes, through the probes with the least and the most of it. */
function commonPower(samples: readonly WorkSample[]): number {
  const [least, most] = [at(samples, 0), at(samples, samples.length - 1)];
  const spread = sum(most.sizes) - sum(least.sizes);
  const slope = spread < Math.log(leastSpread) ? 1 : (most.work - least.work) / spread;
  return Math.min(greatestPower, Math.max(leastPower, slope));
}

/**
 * A power for each size: of least squares around the most work that was seen, held to the common one.
 * Rounds of steps along one size after the other find them.
 */
function ownPowers(samples: readonly WorkSample[], common: number): readonly number[] {
  const most = at(samples, samples.length - 1);
  const powers = most.sizes.map(() => common);
  for (let round = 0; round < 200; round += 1)
    for (const index of powers.keys()) {
      let [above, below] = [holding * common, holding];
      for (const { sizes, work } of samples) {
        const step = at(sizes, index) - at(most.sizes, index);
        const others = powers.reduce(
          (all, power, other) =>
            other === index ? all : all + power * (at(sizes, other) - at(most.sizes, other)),
          0,
        );
        above += step * (work - most.work - others);
        below += step * step;
      }
      powers[index] = Math.min(mostOf(common), Math.max(0, above / below));
    }
  return powers;
}

/** A size that hardly differs among the probes does not tell its power: no more than this is taken for it. */
function mostOf(common: number): number {
  return Math.min(greatestPower, Math.max(1, 2 * common));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
