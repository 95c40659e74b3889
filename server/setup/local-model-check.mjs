/**
 * `npm run local-model:check`: a real small model behind a real local server (llama.cpp) plays the model of a
 * session with each strategy that needs one. It is far too small to improve a kernel: whatever it says, each
 * session has to end with a verdict of its own and a log that exports.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensureLocalModel } from "./steps/local-model.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { PlainFailure } from "./support/problem.mjs";
import { launch, runVisibly } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

/** Improved, no gain, a limit: how a session ends that went well. */
const GOOD_ENDS = [0, 1, 4];

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  const model = await ensureLocalModel(reporter);
  const place = mkdtempSync(join(tmpdir(), "kernelwright-local-model-"));
  const server = launch(model.interpreter, [inRepository("test", "local-model", "serve.py"), model.file], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    const url = await addressOf(server);
    cpSync(inRepository("samples"), join(place, "samples"), { recursive: true });
    const env = { KERNELWRIGHT_PYTHON: python.interpreter, KERNELWRIGHT_SESSIONS: join(place, "sessions") };
    const kernelwright = (/** @type {string[]} */ ...args) =>
      runVisibly(process.execPath, [inRepository("dist", "kernelwright.js"), ...args], {
        cwd: join(place, "samples"),
        env,
      });
    const asked = ["--model", "gemma-3-270m", "--endpoint", url, "--candidates", "3", "--minutes", "2"];
    // Answers are short, so that a slow processor gets to the end as well.
    const options = ["--model-options", "output=160 context=8192"];
    for (const strategy of ["refine", "search"]) {
      const code = await kernelwright(
        "optimize",
        "transpose.cu",
        "--strategy",
        strategy,
        ...asked,
        ...options,
      );
      if (!GOOD_ENDS.includes(code)) throw new PlainFailure(`the session of ${strategy} ended with ${code}`);
      if ((await kernelwright("export", "--output", join(place, `${strategy}.json`))) !== 0)
        throw new PlainFailure(`the log of ${strategy} does not export`);
    }
    return 0;
  } finally {
    server.stdin?.end();
    rmSync(place, { recursive: true, force: true });
  }
});

/**
 * @param {import("node:child_process").ChildProcess} server
 * @returns {Promise<string>} with `/v1`
 */
function addressOf(server) {
  const { stdout } = server;
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new PlainFailure(`the model's server ended with ${code}`)));
    if (stdout) createInterface(stdout).once("line", (line) => resolve(JSON.parse(line).url));
  });
}
