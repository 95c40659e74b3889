import { known } from "../../core/base/known";
import { OperationalError } from "../../core/base/operational-error";
import { BoundedOutput } from "./bounded-output";
import { startProcess, type StartOptions } from "./start-process";

export interface RunOptions extends StartOptions {
  readonly timeLimitMilliseconds: number;
  /** Bytes of standard output that are kept; more is dropped from the middle. One MiB when left out. */
  readonly outputLimitBytes?: number;
  /** Written to standard input, which is then closed. */
  readonly input?: Uint8Array | string;
}

export type RunResult =
  | { readonly kind: "exited"; readonly code: number; readonly output: string; readonly errors: string }
  | { readonly kind: "killed"; readonly signal: string; readonly output: string; readonly errors: string }
  | { readonly kind: "timed-out"; readonly output: string; readonly errors: string };

/**
 * Runs a program to its end, or to its time limit, and gives what it wrote. A failure of the program is data.
 * Throws `tool-missing` when there is no such program and `cancelled` when the signal fires (the process
 * group is dead by then).
 */
export async function runProcess(options: RunOptions): Promise<RunResult> {
  const child = await startProcess(options);
  const collected = new BoundedOutput(options.outputLimitBytes ?? 1024 * 1024);
  child.output.on("data", (chunk: Buffer) => collected.add(chunk));
  child.input.end(options.input ?? "");
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void child.stop();
  }, options.timeLimitMilliseconds);
  const status = await child.exited;
  clearTimeout(timer);
  if (options.signal?.aborted)
    throw new OperationalError("cancelled", { forUser: `${options.command} was cancelled` });
  const texts = { output: collected.text(), errors: child.standardError() };
  if (timedOut) return { kind: "timed-out", ...texts };
  if (status.code === null)
    return { kind: "killed", signal: known(status.signal, "the signal that ended a process"), ...texts };
  return { kind: "exited", code: status.code, ...texts };
}
