/** `npm run kernelwright -- COMMAND …`: the command line from a clone, with what it needs set up first. */
import { spawn } from "node:child_process";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { exitCode } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  return execute(inRepository("dist", "kernelwright.js"), process.argv.slice(2), {
    KERNELWRIGHT_PYTHON: python.interpreter,
  });
});

/**
 * Hands terminal and signals over to the program. It stays in our process group: it may ask questions on the
 * terminal, and Ctrl-C reaches it from there, so we must only not die before it.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
function execute(program, args, env) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  const child = spawn(process.execPath, [program, ...args], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  process.on("SIGINT", () => undefined);
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
}
