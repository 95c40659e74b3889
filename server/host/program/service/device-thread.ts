import { createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { Device, type DeviceOptions } from "../device/device";
import { type Answer, replyHeader } from "./answers";
import { DeviceService } from "./device-service";
import type { DeviceReport } from "../device/report";
import { type Request, RequestDecoder } from "./request-decoder";
import { WireError } from "../protocol/wire";

/** What the thread is started with. */
export interface DeviceThreadData {
  readonly socketPath: string;
  readonly options: DeviceOptions;
}

/** What the thread says: that the socket is there, and when it was asked, what the device has seen. */
export type DeviceThreadMessage =
  { readonly kind: "ready" } | { readonly kind: "report"; readonly report: DeviceReport };

const { socketPath, options } = workerData as DeviceThreadData;
const device = new Device(options);
const service = new DeviceService(device, () => performance.now());

function sent(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

/**
 * Requests of one connection, one after the other: a reply may be a view of memory that the next request
 * changes.
 */
async function serve(socket: Socket, requests: readonly Request[]): Promise<void> {
  for (const { operation, body } of requests) {
    const { reply, afterwards }: Answer = service.handle(operation, body);
    if (reply.body.byteLength === 0) socket.write(replyHeader(reply));
    else {
      socket.cork();
      socket.write(replyHeader(reply));
      const done = sent(socket, reply.body);
      socket.uncork();
      await done;
    }
    afterwards?.();
  }
}

const server = createServer((socket) => {
  const decoder = new RequestDecoder();
  let last = Promise.resolve();
  socket.on("data", (chunk) => {
    socket.pause();
    last = last
      .then(() => serve(socket, decoder.push(chunk)))
      // A program that breaks the protocol loses its connection; its runtime says so.
      .catch((thrown: unknown) => {
        if (thrown instanceof WireError) socket.destroy();
        else throw thrown;
      })
      .then(() => {
        socket.resume();
      });
  });
  socket.on("error", () => socket.destroy());
});

server.listen(socketPath, () => {
  parentPort?.postMessage({ kind: "ready" } satisfies DeviceThreadMessage);
});
parentPort?.on("message", () => {
  parentPort?.postMessage({
    kind: "report",
    report: { ...device.report(), timed: service.timed },
  } satisfies DeviceThreadMessage);
});
