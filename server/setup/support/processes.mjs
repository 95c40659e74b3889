import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
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

/**
 * The variable that all programs inherit which we start, with a mark of this program behind those of the
 * programs that started it. By it also those are found that went into process groups of their own.
 */
const MARK_VARIABLE = "KERNELWRIGHT_STARTED_BY";

const MARK = `${process.pid}-${randomBytes(6).toString("hex")}`;

const MARKS = [process.env[MARK_VARIABLE], MARK].filter(Boolean).join(",");

/** The signal that ends this program, once there was one. @type {NodeJS.Signals | undefined} */
let endedBy;

/** Whether a signal is ending this program: nothing more is started then. */
export function endsBySignal() {
  return endedBy !== undefined;
}

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
  if (endedBy) throw new PlainFailure(`${command} was not started: ${endedBy} ends this program`);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, [MARK_VARIABLE]: MARKS },
    stdio: options.stdio ?? ["ignore", "pipe", "pipe"],
    detached: !options.sharesGroup,
  });
  const group = child.pid;
  if (group !== undefined && !options.sharesGroup) {
    groups.add(group);
    // What the leader leaves behind ends with it; a group that takes the signal is looked at again in
    // endGroups.
    child.once("exit", () => sendSignal(-group, "SIGTERM") || groups.delete(group));
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
 * Ends all that this program started and that is still there: politely, then by force.
 * @returns {Promise<void>} when all of it is gone
 */
export async function endGroups() {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
    const deadline = Date.now() + GRACE_MS;
    for (const target of remaining()) sendSignal(target, signal);
    while (remaining().length > 0 && Date.now() < deadline) {
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
  groups.clear();
}

/** The process groups (as negative numbers) and the processes outside of them that are still there. */
function remaining() {
  return [...[...groups].map((group) => -group), ...markedProcesses()].filter((target) =>
    sendSignal(target, 0),
  );
}

/**
 * Processes that carry our mark, whatever group they are in. None where there is no /proc.
 * @returns {number[]}
 */
function markedProcesses() {
  try {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry) && isMarked(entry))
      .map(Number);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw error;
  }
}

/** @param {string} pid */
function isMarked(pid) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const marks = variables.find((variable) => variable.startsWith(`${MARK_VARIABLE}=`));
    return (
      marks
        ?.slice(MARK_VARIABLE.length + 1)
        .split(",")
        .includes(MARK) === true
    );
  } catch {
    // It has ended, or is another user's: not ours in either case.
    return false;
  }
}

/**
 * @param {number} target a process, or a process group as a negative number
 * @param {NodeJS.Signals | 0} signal 0 only asks whether it is there
 * @returns {boolean} whether there was a process to take the signal
 */
function sendSignal(target, signal) {
  try {
    return process.kill(target, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return false;
    throw error;
  }
}

/**
 * On Ctrl-C, SIGTERM or SIGHUP starts nothing more, ends what this program started, then the program itself
 * with the code that a shell gives for the signal. Further signals change nothing: under npm one Ctrl-C comes
 * twice, from the terminal and from npm, and the ending is bounded anyway.
 */
export function endGroupsOnSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (endedBy) return;
      endedBy = signal;
      void endGroups().finally(() => process.exit(exitCode(null, signal)));
    });
  }
}
