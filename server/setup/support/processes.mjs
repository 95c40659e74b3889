import { spawn } from "node:child_process";
import { constants } from "node:os";
import { PlainFailure } from "./problem.mjs";

/** How long a process group may take to end by itself after SIGTERM, in milliseconds. */
const GRACE_MS = 3_000;

/**
 * Options of every npm call: no talk, and with the network gone an answer within a minute instead of after
 * many.
 */
export const NPM_OPTIONS = Object.freeze([
  ...["--no-audit", "--no-fund", "--loglevel=error"],
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=10000"],
]);

/** How many last lines of a failed tool's output are shown. */
const TAIL_LINES = 25;

/** Process groups that this program started and that have not ended. @type {Set<number>} */
const groups = new Set();

/** A tool ended with a code other than zero, or could not be started. */
export class ToolFailure extends PlainFailure {
  /**
   * @param {string} command the command line
   * @param {number | string} code exit code, or why it did not start
   * @param {string} output standard output and error together
   */
  constructor(command, code, output) {
    const tail = output.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
    super(`${command} ended with ${code}${tail && `:\n${tail}`}`);
    this.name = "ToolFailure";
    this.output = output;
  }
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to our own environment
 * @property {(line: string) => void} [heard] called with each line of output; without it output is only
 *   collected
 */

/**
 * @typedef {RunOptions & { stdio?: import("node:child_process").StdioOptions, sharesGroup?: boolean }}
 *   LaunchOptions sharesGroup: the program stays in our process group and ends with whoever ends that; for
 *   tests, whose own process may be ended without a chance to clean up
 */

/**
 * Starts a program, as the leader of its own process group unless told otherwise, so that it ends with all
 * that it starts.
 * @param {string} command
 * @param {string[]} args
 * @param {LaunchOptions} [options]
 * @returns {import("node:child_process").ChildProcess}
 */
export function launch(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: options.stdio ?? ["ignore", "pipe", "pipe"],
    detached: !options.sharesGroup,
  });
  const group = child.pid;
  if (group !== undefined && !options.sharesGroup) {
    groups.add(group);
    // What the leader leaves behind ends with it; a group that takes the signal is looked at again in
    // endGroups.
    child.once("exit", () => signalGroup(group, "SIGTERM") || groups.delete(group));
  }
  return child;
}

/**
 * Runs a program to its end and gives what it wrote.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} standard output and error together
 * @throws {ToolFailure} when it ends with a code other than zero
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = launch(command, args, options);
    let output = "";
    /** @param {string} chunk */
    const take = (chunk) => {
      output += chunk;
      for (const line of chunk.split("\n").filter((text) => text.trim())) options.heard?.(line);
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.stderr?.setEncoding("utf8").on("data", take);
    const line = [command, ...args].join(" ");
    child.once("error", (error) => reject(new ToolFailure(line, error.message, output)));
    child.once("close", (code, signal) =>
      code === 0 ? resolve(output) : reject(new ToolFailure(line, code ?? signal ?? "?", output)),
    );
  });
}

/**
 * Runs a program whose output goes straight to ours, and gives its exit code (128 + signal when a signal
 * ended it).
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function runVisibly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = launch(command, args, { ...options, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => reject(new ToolFailure([command, ...args].join(" "), error.message, "")));
    child.once("close", (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * The exit code a shell would report.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/**
 * Ends the process groups that are still there: politely, then by force.
 * @returns {Promise<void>} when all of them are gone
 */
export async function endGroups() {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
    const deadline = Date.now() + GRACE_MS;
    for (const group of groups) signalGroup(group, signal);
    while ([...groups].some((group) => signalGroup(group, 0)) && Date.now() < deadline) {
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
  groups.clear();
}

/**
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal 0 only asks whether the group is there
 * @returns {boolean} whether there was a group to take the signal
 */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return false;
    throw error;
  }
}

/** On Ctrl-C or SIGTERM ends what this program started, then the program itself. */
export function endGroupsOnSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => {
      void endGroups().finally(() => process.exit(exitCode(null, signal)));
    });
  }
}
