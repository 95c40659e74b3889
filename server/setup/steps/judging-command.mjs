import { inRepository } from "../support/layout.mjs";
import { runVisibly } from "../support/processes.mjs";
import { createReporter } from "../support/reporter.mjs";
import { bundle, ensureBundles } from "./bundle.mjs";
import { ensurePackages } from "./packages.mjs";
import { ensurePython } from "./python.mjs";
import { ensureSystem } from "./system.mjs";

/**
 * Sets up what judging kernels needs, makes `test/FOLDER/main.ts` into one file and runs it with the arguments
 * of this process.
 * @param {string} folder
 * @returns {Promise<number>} its exit code
 */
export async function runJudgingCommand(folder) {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  const output = `out/${folder}/main.js`;
  await bundle({ source: `test/${folder}/main.ts`, output });
  return runVisibly(process.execPath, [inRepository(output), ...process.argv.slice(2)], {
    cwd: inRepository(),
    env: { KERNELWRIGHT_PYTHON: python.interpreter },
  });
}
