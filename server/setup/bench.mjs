/** `npm run bench [-- --json] [NAME …]`: what the machine makes of us, in numbers. */
import { bundle, ensureBundles } from "./steps/bundle.mjs";
import { ensureBrowserEditor } from "./steps/editor.mjs";
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
  await ensureSystem(reporter, ["python", "cuda", "editor", "browser"]);
  const [python] = await Promise.all([ensurePython(reporter), ensureBrowserEditor(reporter).catch(reporter.warn)]);
  await ensureBundles(reporter);
  await bundle({ source: "test/bench/main.ts", output: "out/bench/main.js", packages: "external" });
  const env = { KERNELWRIGHT_PYTHON: python.interpreter };
  return runVisibly(process.execPath, [inRepository("out", "bench", "main.js"), ...process.argv.slice(2)], { cwd: inRepository(), env });
});
