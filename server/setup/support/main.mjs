import { parseArgs } from "node:util";
import { prepareEnvironment } from "./environment.mjs";
import { describeProblem, UsageFailure } from "./problem.mjs";
import { endGroups, endGroupsOnSignals, endsBySignal } from "./processes.mjs";

/**
 * Runs the body of an entry file: its number is the exit code, an error is told in words, and nothing that it
 * started outlives it.
 * @param {() => Promise<number>} body
 */
export function main(body) {
  endGroupsOnSignals();
  // A reader that closes our output early (`| head`) ends the output, not the work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  Promise.resolve()
    .then(() => prepareEnvironment((line) => void process.stderr.write(`• ${line}\n`)))
    .then(body)
    .catch((error) => {
      // What a signal broke off is no failure to be told; the signal's own handler ends the program.
      if (!endsBySignal()) process.stderr.write(`${describeProblem(error)}\n`);
      return error instanceof UsageFailure ? 2 : 1;
    })
    .then(async (code) => {
      if (endsBySignal()) return;
      await endGroups();
      process.exitCode = code;
    });
}

/** @param {NodeJS.ErrnoException} error */
function ignoreClosedPipe(error) {
  if (error.code !== "EPIPE") throw error;
}

/**
 * The options of an entry file.
 * @template {import("node:util").ParseArgsConfig} T
 * @param {string} usage shown when they cannot be understood
 * @param {T} config
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function options(usage, config) {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new UsageFailure(`${/** @type {Error} */ (cause).message}\n\n${usage}`, { cause });
  }
}
