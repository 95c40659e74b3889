import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OperationalError } from "../../../core/base/operational-error";
import { makePrivateFolder } from "../../process/private-folder";
import type { DeviceOptions } from "../device/device";
import type { DeviceThreadMessage, DeviceThreadOrder } from "../service/device-thread";
import type { DeviceReport } from "../device/report";
import type { DeviceThreads, SaidBy } from "./device-threads";

/** A device that has a thread for itself, for as long as its program runs. */
export interface RunningDevice {
  /** For the program: where its runtime finds the device. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the thread has crashed; never otherwise. */
  readonly crashed: Promise<OperationalError>;
  /** What it has seen, once the program is over. Waits for a launch that still runs. */
  report(): Promise<DeviceReport>;
  /** Stops a launch that still runs, and all further ones. */
  stopLaunches(): void;
  tell(order: DeviceThreadOrder): void;
  /** The next message of a kind. Throws when the thread has crashed. */
  next<Kind extends DeviceThreadMessage["kind"]>(kind: Kind): Promise<SaidBy<Kind>>;
  /** Ends its work, whatever it does, and removes the socket. */
  close(): Promise<void>;
}

/** A socket's path has room for 107 bytes (unix(7)). */
const mostFolderLength = 70;

/** `say`: receives lines for the user while the program runs. */
export async function startDevice(
  threads: DeviceThreads,
  options: DeviceOptions,
  say: (line: string) => void = () => undefined,
): Promise<RunningDevice> {
  const folder = await makePrivateFolder(
    join(tmpdir().length > mostFolderLength ? "/tmp" : tmpdir(), "kernelwright-device-"),
  );
  const socketPath = join(folder.path, "device");
  const ending = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = threads.begin({ socketPath, options: { ...options, ending: ending.buffer } });
  thread.listen((message) => {
    if (message.kind === "said") say(message.line);
  });
  const close = async (): Promise<void> => {
    await thread.close();
    await folder.remove();
  };
  try {
    await thread.next("ready");
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    environment: { KERNELWRIGHT_DEVICE: socketPath },
    crashed: thread.crashed,
    report: async () => {
      const reported = thread.next("report");
      thread.tell({ kind: "report" });
      return (await reported).report;
    },
    stopLaunches: () => {
      Atomics.store(ending, 0, 1);
    },
    tell: (order) => thread.tell(order),
    next: (kind) => thread.next(kind),
    close,
  };
}
