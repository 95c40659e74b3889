import { OperationalError } from "../../../../core/base/operational-error";
import type { FailedRun } from "../../evaluation/failed-run";
import { failedRun, memoryTaken } from "../hardware-sessions";
import type { TimedOutcome } from "../timed/timed-process";

/** Before a message of `kernelwright_worker/timed/serving.py` that no candidate is to blame for. */
const machine = "machine: ";

/** What a request that did not return comes to. Throws `tool-missing` where the machine is to blame. */
export function failure(outcome: TimedOutcome, limitSeconds: number): FailedRun {
  if (outcome.kind !== "timed-out") throwAtMachine(outcome.message);
  return failedRun(outcome, limitSeconds);
}

/** Throws `tool-missing` where a message says that the machine is to blame. */
export function throwAtMachine(message: string): void {
  if (!message.startsWith(machine)) return;
  if (message.includes("out of memory")) throw memoryTaken();
  const [problem = ""] = message.slice(machine.length).split("\n");
  throw new OperationalError("tool-missing", {
    forUser: `the GPU cannot be used by torch: ${problem}. Its driver has to be as new as the CUDA that torch is built for, and torch has to be built for the GPU`,
    remedy: "kernelwright doctor",
  });
}
