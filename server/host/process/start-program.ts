import { known } from "../../core/base/known";
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { OperationalError } from "../../core/base/operational-error";
import { forgetGroup, rememberGroup, signalGroup } from "./running-groups";

interface ProgramStart {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  /** The whole environment: a user's own program sees what the user's shell has. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Descriptors of this process that become its standard input, output and errors. */
  readonly descriptors: readonly [number, number, number];
  /** Ends the whole process group when it fires. */
  readonly signal: AbortSignal;
  /** Is told of the process when it runs. */
  readonly started?: (pid: number) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Its exit code: 128 and the signal's number when it died of one. */
  readonly code: number;
  readonly signal?: NodeJS.Signals;
}

/** How long a group may take to end by itself after SIGTERM, in milliseconds. */
const graceMilliseconds = 1_000;

/**
 * Runs a program of the user's on the given streams until it ends, and gives its exit code.
 * It leads its own process group, which ends with it. Throws `tool-missing` when it is not there.
 */
export async function runUserProgram(options: ProgramStart): Promise<ProgramEnd> {
  const child = spawn(options.command, [...options.arguments], {
    cwd: options.folder,
    env: { ...options.environment },
    detached: true,
    shell: false,
    stdio: [...options.descriptors],
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => {
      reject(
        new OperationalError("tool-missing", {
          forUser:
            (cause as NodeJS.ErrnoException).code === "ENOENT"
              ? `${options.command}: there is no such program`
              : `${options.command} could not be started: ${cause.message}`,
          cause,
        }),
      );
    });
  });
  const pid = known(child.pid, "the id of a process that was started");
  rememberGroup(pid);
  options.started?.(pid);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(pid, "SIGTERM");
    timer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMilliseconds);
  };
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  const end = await new Promise<ProgramEnd>((resolve) => {
    child.once("exit", (status, signal) => {
      resolve(
        signal === null
          ? { code: known(status, "the status of a process that no signal ended") }
          : { code: 128 + constants.signals[signal], signal },
      );
    });
  });
  clearTimeout(timer);
  options.signal.removeEventListener("abort", stop);
  signalGroup(pid, "SIGKILL");
  forgetGroup(pid);
  return end;
}
