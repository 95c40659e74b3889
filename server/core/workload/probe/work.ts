import { at } from "../../base/known";
import type { ProbeObservation } from "./observation";
import type { Setting } from "./settings";

/** A kernel's work does not grow slower, nor faster, with the product of its sizes. */
const [leastPower, greatestPower] = [0.5, 3];
/** Products that lie nearer to each other tell nothing of the power: it is taken to be one. */
const leastSpread = 1.5;

/**
 * Warp-level instructions of a launch by its sizes: a power of their product through the probes with the
 * least and the most of it. Undefined where no work was seen.
 */
export function workBySizes(
  settings: readonly Setting[],
  observations: readonly Pick<ProbeObservation, "warpInstructions">[],
  names: readonly string[],
): ((sizes: Setting) => number) | undefined {
  const product = (sizes: Setting): number =>
    names.reduce((result, name) => result * Math.max(1, sizes[name] ?? 1), 1);
  const samples = settings
    .map((sizes, index) => ({ at: product(sizes), work: at(observations, index).warpInstructions }))
    .filter(({ work }) => work > 0)
    .sort((a, b) => a.at - b.at);
  const [least, most] = [samples[0], samples.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const spread = most.at / least.at;
  const slope = spread < leastSpread ? 1 : Math.log(most.work / least.work) / Math.log(spread);
  const power = Math.min(greatestPower, Math.max(leastPower, slope));
  return (sizes) => most.work * (product(sizes) / most.at) ** power;
}
