/**
 * `npm run corpus [-- --kind KIND --only ID --quick --mutate --words --json]`: checks the kernels of
 * `test/cases/workloads` as a stranger would, and holds the verdicts against the index.
 */
import { bundle, ensureBundles } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { runVisibly } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  await bundle({ source: "test/corpus/main.ts", output: "out/corpus/main.js" });
  return runVisibly(process.execPath, [inRepository("out", "corpus", "main.js"), ...process.argv.slice(2)], {
    cwd: inRepository(),
    env: { KERNELWRIGHT_PYTHON: python.interpreter },
  });
});
