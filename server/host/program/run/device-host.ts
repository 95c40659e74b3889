import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { OperationalError } from "../../../core/base/operational-error";
import { makePrivateFolder } from "../../process/private-folder";
import type { DeviceOptions } from "../device/device";
import type { DeviceThreadData, DeviceThreadMessage, DeviceThreadOrder } from "../service/device-thread";
import type { DeviceReport } from "../device/report";

type Said<Kind extends DeviceThreadMessage["kind"]> = Extract<DeviceThreadMessage, { kind: Kind }>;

/** A device that runs in a thread of its own, for as long as a program does. */
export interface RunningDevice {
  /** For the program: where its runtime finds the device. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the thread has crashed; never otherwise. */
  readonly crashed: Promise<OperationalError>;
  /** What it has seen, once the program is over. Waits for a launch that still runs. */
  report(): Promise<DeviceReport>;
  tell(order: DeviceThreadOrder): void;
  /** The next message of a kind. Throws when the thread has crashed. */
  next<Kind extends DeviceThreadMessage["kind"]>(kind: Kind): Promise<Said<Kind>>;
  /** Ends the thread, whatever it does, and removes the socket. */
  close(): Promise<void>;
}

/** Memory of the thread's JavaScript heap; the device's own memory lies outside of it. */
const heapMegabytes = 2048;

/** A socket's path has room for 107 bytes (unix(7)). */
const mostFolderLength = 70;

/**
 * `threadFile`: the bundle that starts device-thread.ts. `say`: receives lines for the user while the program
 * runs.
 */
export async function startDevice(
  threadFile: string,
  options: DeviceOptions,
  say: (line: string) => void = () => undefined,
): Promise<RunningDevice> {
  const folder = await makePrivateFolder(
    join(tmpdir().length > mostFolderLength ? "/tmp" : tmpdir(), "kernelwright-device-"),
  );
  const socketPath = join(folder.path, "device");
  const data: DeviceThreadData = { socketPath, threadFile, options };
  const thread = new Worker(threadFile, {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  thread.on("message", (message: DeviceThreadMessage) => {
    if (message.kind === "said") say(message.line);
  });
  const crashed = crashOf(thread);
  const next: RunningDevice["next"] = async (kind) =>
    Promise.race([
      messageOf(thread, kind),
      crashed.then((problem) => {
        throw problem;
      }),
    ]);
  const tell = (order: DeviceThreadOrder): void => thread.postMessage(order);
  const close = async (): Promise<void> => {
    await thread.terminate();
    await folder.remove();
  };
  try {
    await next("ready");
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    environment: { KERNELWRIGHT_DEVICE: socketPath },
    crashed,
    report: async () => {
      const reported = next("report");
      tell({ kind: "report" });
      return (await reported).report;
    },
    tell,
    next,
    close,
  };
}

function crashOf(thread: Worker): Promise<OperationalError> {
  return new Promise((resolve) => {
    thread.once("error", (cause) =>
      resolve(
        new OperationalError("worker-lost", {
          forUser: `the virtual GPU crashed: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause,
        }),
      ),
    );
  });
}

function messageOf<Kind extends DeviceThreadMessage["kind"]>(
  thread: Worker,
  kind: Kind,
): Promise<Said<Kind>> {
  return new Promise((resolve) => {
    const listen = (said: DeviceThreadMessage): void => {
      if (said.kind !== kind) return;
      thread.off("message", listen);
      resolve(said as Said<Kind>);
    };
    thread.on("message", listen);
  });
}
