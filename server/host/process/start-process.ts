import { known } from "../../core/base/known";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { OperationalError } from "../../core/base/operational-error";
import { BoundedOutput } from "./bounded-output";
import { childEnvironment } from "./environment";
import { forgetGroup, rememberGroup, signalGroup } from "./running-groups";

/** How long a group may take to end by itself after SIGTERM, in milliseconds. */
const graceMilliseconds = 1_000;
const standardErrorLimitBytes = 256 * 1024;

export interface StartOptions {
  /** A program name or absolute path, and its arguments as they are: no shell is ever involved. */
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder?: string;
  /** Added to the allow-listed environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further variables of the server that are passed on. */
  readonly passVariables?: readonly string[];
  /** Ends the whole process group when it fires. */
  readonly signal?: AbortSignal;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** `by SIGKILL`, `with status 1`. */
export function exitText({ code, signal }: ExitStatus): string {
  return code === null ? `by ${known(signal, "the signal that ended a process")}` : `with status ${code}`;
}

/** A started process that leads its own group. */
export interface RunningProcess {
  readonly pid: number;
  readonly input: Writable;
  readonly output: Readable;
  /** What it wrote to standard error so far, bounded. */
  standardError(): string;
  /** True from its end on. */
  readonly ended: boolean;
  /** Resolves when it has ended and its streams are closed; never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** SIGTERM to the group, after a grace SIGKILL; resolves when it has ended. */
  stop(): Promise<ExitStatus>;
}

/**
 * Starts a program in its own process group with piped streams. Rejects with `tool-missing` when there is no
 * such program and with `cancelled` when the signal has fired already.
 */
export async function startProcess(options: StartOptions): Promise<RunningProcess> {
  if (options.signal?.aborted) throw cancelled(options.command);
  const child = spawn(options.command, [...options.arguments], {
    cwd: options.folder,
    env: childEnvironment(options.environment, options.passVariables),
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  await spawned(child, options.command);
  return supervise(child, options);
}

function cancelled(command: string): OperationalError {
  return new OperationalError("cancelled", { forUser: `${command} was cancelled` });
}

function spawned(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => {
      const missing = "code" in cause && (cause.code === "ENOENT" || cause.code === "EACCES");
      const forUser = missing
        ? `${command} is not there or may not be run`
        : `${command} could not be started: ${cause.message}`;
      reject(new OperationalError(missing ? "tool-missing" : "tool-failed", { forUser, cause }));
    });
  });
}

function supervise(child: ChildProcessWithoutNullStreams, options: StartOptions): RunningProcess {
  const pid = known(child.pid, "the id of a process that was started");
  rememberGroup(pid);
  const errors = new BoundedOutput(standardErrorLimitBytes);
  child.stderr.on("data", (chunk: Buffer) => errors.add(chunk));
  // A process that dies while we write to it is reported by its exit; the broken pipe alone is no news.
  child.stdin.on("error", () => undefined);
  child.on("error", () => undefined);
  let ended = false;
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once("close", (code, signal) => {
      ended = true;
      options.signal?.removeEventListener("abort", onAbort);
      // What the leader left running in its group goes with it.
      signalGroup(pid, "SIGKILL");
      forgetGroup(pid);
      resolve({ code, signal });
    });
  });
  // The pipes stay open while a grandchild holds them, so the group is ended as soon as its leader is gone.
  child.once("exit", () => {
    signalGroup(pid, "SIGKILL");
    // Whoever else reads this input sees that nobody writes any more.
    child.stdin.destroy();
  });
  const stop = async (): Promise<ExitStatus> => {
    if (!ended) {
      signalGroup(pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMilliseconds);
      await exited;
      clearTimeout(timer);
    }
    return exited;
  };
  const onAbort = (): void => void stop();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  return {
    pid,
    input: child.stdin,
    output: child.stdout,
    standardError: () => errors.text(),
    exited,
    stop,
    get ended() {
      return ended;
    },
  };
}
