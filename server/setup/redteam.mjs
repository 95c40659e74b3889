/**
 * `npm run redteam [-- --only NAME --task TASK --write]`: shows the judge attacks on the verdict and honest
 * kernels (`test/cases/redteam`); `--write` puts the table into `docs/verdicts.md`.
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
  await bundle({ source: "test/redteam/main.ts", output: "out/redteam/main.js" });
  return runVisibly(process.execPath, [inRepository("out", "redteam", "main.js"), ...process.argv.slice(2)], {
    cwd: inRepository(),
    env: { KERNELWRIGHT_PYTHON: python.interpreter },
  });
});
