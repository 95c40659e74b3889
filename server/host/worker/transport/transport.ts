import type { RunningProcess } from "../../process/start-process";
import type { WorkerRole } from "./protocol";

/**
 * A way to get a worker process; nothing more. Every call gives a new process that speaks the protocol over
 * its streams.
 */
export interface Transport {
  /** For messages: `this machine` or `ssh HOST`. */
  readonly description: string;
  /** Its processes run on this machine, where their work can be told. */
  readonly isHere: boolean;
  /** The interpreter that runs the worker, for messages; left out where others choose it. */
  readonly program?: string;
  /** Rejects with `tool-missing` (no Python, no ssh), `transport-failed` (no connection) or `cancelled`. */
  start(role: WorkerRole, signal?: AbortSignal): Promise<RunningProcess>;
  /**
   * Starts a program of that machine behind walls. `words` are the arguments of `walls/program.py`; of
   * `environment` the program gets what the walls let through. Rejects as `start` does.
   */
  startProgram(
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<RunningProcess>;
  /**
   * Starts a Python of that machine that times calls of Triton kernels, with the worker's files; `words` are
   * the arguments of `timed/role.py`. Rejects as `start` does.
   */
  startTimed(
    python: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<RunningProcess>;
  /** Frees what the connection holds (the shared ssh connection). */
  close(): Promise<void>;
}
