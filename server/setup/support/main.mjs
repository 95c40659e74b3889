import { describeProblem } from "./problem.mjs";
import { endGroups, endGroupsOnSignals } from "./processes.mjs";

/**
 * Runs the body of an entry file: its number is the exit code, an error is told in words, and nothing that it started
 * outlives it.
 * @param {() => Promise<number>} body
 */
export function main(body) {
  endGroupsOnSignals();
  // A reader that closes our output early (`| head`) ends the output, not the work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  body()
    .catch((error) => {
      process.stderr.write(`${describeProblem(error)}\n`);
      return 1;
    })
    .then(async (code) => {
      await endGroups();
      process.exitCode = code;
    });
}

/** @param {NodeJS.ErrnoException} error */
function ignoreClosedPipe(error) {
  if (error.code !== "EPIPE") throw error;
}
