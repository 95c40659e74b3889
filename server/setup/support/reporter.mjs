import { describeProblem } from "./problem.mjs";
import { endsBySignal } from "./processes.mjs";

/** How long a step may stay silent before it says that it is still at work, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/**
 * @typedef {object} Reporter
 * @property {(line: string) => void} say one line of information
 * @property {(problem: unknown) => void} warn a problem that does not end the run; nothing
 *   where a signal ends it, since what was broken off is not missing
 * @property {<T>(title: string, work: (heard: (line: string) => void) => Promise<T>) => Promise<T>} step
 *   runs work between a line that names it and a line with its duration; `heard` takes output lines of the
 *   tool at work, the last of which is shown while the step takes long
 */

/**
 * Progress lines on standard error, so that standard output stays free for results. Lines are only ever
 * appended, which lets steps run side by side and keeps logs of continuous integration readable.
 * @returns {Reporter}
 */
export function createReporter() {
  /** @param {string} text */
  const write = (text) => void process.stderr.write(`${text}\n`);
  return {
    say: (line) => write(`• ${line}`),
    warn: (problem) => {
      if (!endsBySignal()) write(`! ${describeProblem(problem)}`);
    },
    step: async (title, work) => {
      const started = Date.now();
      let latest = "";
      write(`• ${title} …`);
      const heartbeat = setInterval(
        () => write(`  ${title}: ${seconds(started)}${latest && `, ${latest}`}`),
        HEARTBEAT_MS,
      );
      try {
        const result = await work((line) => (latest = line.trim().slice(0, 100) || latest));
        write(`✓ ${title} (${seconds(started)})`);
        return result;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}

/**
 * Time since a moment, for people.
 * @param {number} started milliseconds since the epoch
 */
export function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
