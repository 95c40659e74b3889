import { availableParallelism } from "node:os";
import { run } from "../../server/setup/support/processes.mjs";

/** What was written by a program between its other output: the last line that is a JSON object. */
export function lastObject(output: string): unknown {
  const line = output.split("\n").findLast((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`no result in: ${output.slice(-400)}`);
  return JSON.parse(line);
}

/**
 * Runs `work` with this process, all its threads and whatever it starts on one core, so that contestants have
 * the same. Where the machine has no `taskset`, the work runs unpinned and the result says so.
 */
export async function onOneCore<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly pinned: boolean }> {
  const core = String(availableParallelism() - 1);
  const own = String(process.pid);
  let mask: string | undefined;
  try {
    mask = / ([0-9a-f]+)\s*$/.exec(await run("taskset", ["-p", own]))?.[1];
    if (mask !== undefined) await run("taskset", ["-a", "-c", "-p", core, own]);
  } catch (error) {
    process.stderr.write(`  not on one core: ${String(error).split("\n")[0]}\n`);
    mask = undefined;
  }
  try {
    return { result: await work(), pinned: mask !== undefined };
  } finally {
    if (mask !== undefined) await run("taskset", ["-a", "-p", mask, own]);
  }
}

/**
 * Milliseconds of processor time that this process has used, all its threads together: unlike the clock on
 * the wall it does not count others' work.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
