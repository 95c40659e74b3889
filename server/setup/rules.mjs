/**
 * `npm run rules [-- --only FILE --held --mutate --json]`: lets the rulebook alone work on the kernels of
 * `test/cases/unseen`, and tells how many planted inefficiencies it named and removed.
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
  await bundle({ source: "test/unseen/main.ts", output: "out/unseen/main.js" });
  return runVisibly(process.execPath, [inRepository("out", "unseen", "main.js"), ...process.argv.slice(2)], {
    cwd: inRepository(),
    env: { KERNELWRIGHT_PYTHON: python.interpreter },
  });
});
