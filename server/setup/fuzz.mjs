/**
 * `npm run fuzz [-- --seconds N --seed N --only ptx|cubin]`: broken PTX and cubins made from the test cases;
 * none may crash or hang us.
 */
import { bundle } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { runVisibly } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await bundle({ source: "test/fuzz/main.ts", output: "out/fuzz/main.js" });
  return runVisibly(process.execPath, [inRepository("out", "fuzz", "main.js"), ...process.argv.slice(2)], {
    cwd: inRepository(),
  });
});
