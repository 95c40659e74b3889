import { createServer, type Server, type Socket } from "node:net";
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
  /** The bundle that this thread was started from; helpers are too. */
  readonly threadFile: string;
}

/** One device, for one program. */
export interface DeviceWork {
  readonly socketPath: string;
  readonly options: DeviceOptions;
}

/**
 * Messages of the thread: that the socket is ready, lines for the user, the answers to orders, and that
 * nothing of a device is left, which held so many bytes.
 */
export type DeviceThreadMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "rested"; readonly bytes: number }
  /** A line for the user, at once. */
  | { readonly kind: "said"; readonly line: string }
  | { readonly kind: "report"; readonly report: DeviceReport }
  | { readonly kind: "case"; readonly case: CaseReport };

/**
 * Orders to the thread: a device's work; a report, the modules to run in place of the program's own, the next
 * case; the end of the work.
 */
export type DeviceThreadOrder =
  | { readonly kind: "work"; readonly work: DeviceWork }
  | { readonly kind: "rest" }
  | { readonly kind: "report" }
  | { readonly kind: "code"; readonly code: DeviceCode }
  | { readonly kind: "case"; readonly order: CaseOrder };

const data = workerData as DeviceThreadData | HelperData;
if ("port" in data) serveLaunches(data);
else obeyOrders(new LaunchHelpers(data.threadFile));

/** The life of a thread: one device after the other. */
function obeyOrders(helpers: LaunchHelpers): void {
  let session: DeviceSession | undefined;
  parentPort?.on("message", (order: DeviceThreadOrder) => {
    if (order.kind === "work") session = new DeviceSession(order.work, helpers);
    else if (order.kind === "rest") {
      const bytes = session?.close() ?? 0;
      session = undefined;
      helpers.forget();
      parentPort?.postMessage({ kind: "rested", bytes } satisfies DeviceThreadMessage);
    } else session?.obey(order);
  });
}

/** The memory of contents that were read for one report. */
function memoryOf(contents: CaseReport["contents"]): readonly ArrayBuffer[] {
  return contents.flatMap((content) => (content === undefined ? [] : content.buffer));
}

/**
 * A round reads up to 64 KiB of each connection, and a socket has room for a few of these. What goes on
 * sending is a process that the program has left behind.
 */
const mostRounds = 16;

/** What a thread does for one device. */
class DeviceSession {
  private readonly device: Device;
  private readonly turns: CaseTurns;
  private readonly service: DeviceService;
  private readonly server: Server;
  private readonly connections = new Set<Socket>();
  /** Chunks of requests that were read, and the end of those whose work has begun. */
  private heard = 0;
  private served: Promise<unknown> = Promise.resolve();
  private isOver = false;
  private tellCode = (): void => undefined;

  constructor({ socketPath, options }: DeviceWork, helpers: LaunchHelpers) {
    const voice = {
      now: () => performance.now(),
      worked: workClock(ownWork),
      say: (line: string) => this.say({ kind: "said", line }),
    };
    this.device = new Device(options, voice, helpers);
    this.turns = new CaseTurns(this.device, (report) =>
      this.say({ kind: "case", case: report }, memoryOf(report.contents)),
    );
    const coded = new Promise<void>((resolve) => (this.tellCode = resolve));
    const waited = options.awaitsCode === true ? coded : undefined;
    this.service = new DeviceService(this.device, () => performance.now(), this.turns, waited);
    this.server = createServer((socket) => this.answer(socket));
    this.server.listen(socketPath, () => this.say({ kind: "ready" }));
  }

  obey(order: Exclude<DeviceThreadOrder, { kind: "work" | "rest" }>): void {
    switch (order.kind) {
      case "report":
        return void this.report();
      case "code":
        this.turns.code = order.code;
        return this.tellCode();
      case "case":
        return this.turns.begin(order.order);
    }
  }

  /**
   * Reports once nothing is left of what the program has sent: it may have ended before its last request was
   * read, as it waits for no answer to a launch.
   */
  private async report(): Promise<void> {
    let before = -1;
    for (let rounds = 0; before !== this.heard && rounds < mostRounds; rounds += 1) {
      before = this.heard;
      // Two turns of the loop: one accepts a connection or reads on from it, the next reads what it brings.
      await turnOfLoop();
      await turnOfLoop();
      await this.served;
    }
    this.say({ kind: "report", report: { ...this.device.report(), timed: this.service.timed } });
  }

  /** Ends all connections. Gives the bytes that the device has used. */
  close(): number {
    this.isOver = true;
    this.server.close();
    for (const socket of this.connections) socket.destroy();
    return this.device.store.memory.arena.used;
  }

  /** `handedOver`: memory of the message alone, which is not copied. */
  private say(message: DeviceThreadMessage, handedOver: readonly ArrayBuffer[] = []): void {
    if (!this.isOver) parentPort?.postMessage(message, handedOver);
  }

  /** Serves whoever has connected. */
  private answer(socket: Socket): void {
    const decoder = new RequestDecoder();
    let last = Promise.resolve();
    this.connections.add(socket);
    socket.on("close", () => this.connections.delete(socket));
    socket.on("data", (chunk) => {
      socket.pause();
      this.heard += 1;
      last = last
        .then(() => serve(this.service, socket, decoder.push(chunk)))
        // A program that breaks the protocol loses its connection; its runtime says so.
        .catch((thrown: unknown) => {
          if (thrown instanceof WireError) socket.destroy();
          else throw thrown;
        })
        .then(() => {
          socket.resume();
        });
      this.served = Promise.all([this.served, last]);
    });
    socket.on("error", () => socket.destroy());
  }
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
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
