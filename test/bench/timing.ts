import { count, noises } from "../harness/simulated-timings";
import { type Bench, type Measurement, rounded } from "./bench";

/** Simulated comparisons with each noise. */
const TRIALS = 1000;

/**
 * What the timing protocol finds on made-up noise: how often it tells equal kernels apart, and how often it
 * finds a true difference of 3 % at 1 % noise.
 */
export const timingBench: Bench = {
  name: "timing",
  run: () => {
    const measurements = Object.entries(noises).map(([name, noise]): Measurement => ({
      metric: `equal kernels, noise "${name}": false wins of ${TRIALS}`,
      value: count(TRIALS, 1, [noise]).faster,
      unit: "wins",
      versus: "limit 1",
    }));
    const [normal] = Object.values(noises);
    const found = normal === undefined ? 0 : count(TRIALS, 1.03, [normal]).faster;
    return Promise.resolve([
      ...measurements,
      {
        metric: `3 % faster at 1 % normal noise: found in ${TRIALS}`,
        value: found,
        unit: "wins",
        versus: "goal 950",
        ratio: rounded(found / (0.95 * TRIALS)),
      },
    ]);
  },
};
