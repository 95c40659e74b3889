import { ensureBundles } from "../../server/setup/steps/bundle.mjs";
import { createReporter } from "../../server/setup/support/reporter.mjs";

/**
 * Runs before any test, however the tests are started: many of them drive what lies in dist/, which must be
 * made of the sources as they are now.
 */
export async function setup() {
  const reporter = createReporter();
  await ensureBundles(reporter);
  if (!process.env.KERNELWRIGHT_PYTHON && !process.env.KERNELWRIGHT_LANE)
    reporter.say(
      "no Python with Triton yet, so tests of Triton will fail; npm test -- --only unit makes one",
    );
}
