import { createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { Device, type DeviceOptions } from "../device/device";
import { type Answer, replyHeader } from "./answers";
import { type CaseOrder, type CaseReport, CaseTurns } from "./case-turns";
import { DeviceService } from "./device-service";
import type { DeviceCode } from "../../../core/ports/entry-programs";
import type { DeviceReport } from "../device/report";
import { type HelperData, LaunchHelpers, serveLaunches } from "./launch-helpers";
import { type Request, RequestDecoder } from "./request-decoder";
import { WireError } from "../protocol/wire";
import { ownWork, workClock } from "../../process/work-clock";

/** What the thread is started with. */
export interface DeviceThreadData {
  readonly socketPath: string;
  /** The bundle that this thread was started from; helpers are too. */
  readonly threadFile: string;
  readonly options: DeviceOptions;
}

/** Messages of the thread: that the socket is ready, lines for the user, and the answers to orders. */
export type DeviceThreadMessage =
  | { readonly kind: "ready" }
  /** A line for the user, at once. */
  | { readonly kind: "said"; readonly line: string }
  | { readonly kind: "report"; readonly report: DeviceReport }
  | { readonly kind: "case"; readonly case: CaseReport };

/** Orders to the thread: a report, the modules to run in place of the program's own, the next case. */
export type DeviceThreadOrder =
  | { readonly kind: "report" }
  | { readonly kind: "code"; readonly code: DeviceCode }
  | { readonly kind: "case"; readonly order: CaseOrder };

const data = workerData as DeviceThreadData | HelperData;
if ("port" in data) serveLaunches(data);
else serveDevice(data);

function say(message: DeviceThreadMessage): void {
  parentPort?.postMessage(message);
}

function serveDevice({ socketPath, threadFile, options }: DeviceThreadData): void {
  const voice = {
    now: () => performance.now(),
    worked: workClock(ownWork),
    say: (line: string) => say({ kind: "said", line }),
  };
  const device = new Device(options, voice, new LaunchHelpers(threadFile));
  const turns = new CaseTurns(device, (report) => say({ kind: "case", case: report }));
  let tellCode = (): void => undefined;
  const coded = new Promise<void>((resolve) => (tellCode = resolve));
  const waited = options.awaitsCode === true ? coded : undefined;
  const service = new DeviceService(device, () => performance.now(), turns, waited);
  listen(socketPath, service);
  parentPort?.on("message", (order: DeviceThreadOrder) => {
    switch (order.kind) {
      case "report":
        return say({ kind: "report", report: { ...device.report(), timed: service.timed } });
      case "code":
        turns.code = order.code;
        return tellCode();
      case "case":
        return turns.begin(order.order);
    }
  });
}

/** Answers whoever connects. */
function listen(socketPath: string, service: DeviceService): void {
  const server = createServer((socket) => {
    const decoder = new RequestDecoder();
    let last = Promise.resolve();
    socket.on("data", (chunk) => {
      socket.pause();
      last = last
        .then(() => serve(service, socket, decoder.push(chunk)))
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
  server.listen(socketPath, () => say({ kind: "ready" }));
}

function sent(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

/**
 * Requests of one connection, one after the other: a reply may be a view of memory that the next request
 * changes.
 */
async function serve(service: DeviceService, socket: Socket, requests: readonly Request[]): Promise<void> {
  for (const { operation, body } of requests) {
    const { reply, afterwards }: Answer = await service.handle(operation, body);
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
