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
import { together } from "./support/together.mjs";

/** Packages that find files of theirs beside themselves, and so stay where they are. */
const UNBUNDLED = ["esbuild", "playwright-core", "@vscode/test-electron"];

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda", "editor", "browser"]);
  const [python] = await together(
    /** @type {const} */ ([ensurePython(reporter), ensureBrowserEditor(reporter).catch(reporter.warn)]),
  );
  await ensureBundles(reporter);
  await bundle({ source: "test/bench/main.ts", output: "out/bench/main.js", external: UNBUNDLED });
  await bundle({ source: "test/bench/first-generation.ts", output: "out/bench/first-generation.js" });
  await bundle({ source: "test/harness/openai-server-main.ts", output: "out/bench/openai-server.js" });
  const env = { KERNELWRIGHT_PYTHON: python.interpreter };
  return runVisibly(process.execPath, [inRepository("out", "bench", "main.js"), ...process.argv.slice(2)], {
    cwd: inRepository(),
    env,
  });
});
