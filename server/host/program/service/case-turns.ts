import { at } from "../../../core/base/known";
import type { DeviceCode, EntryCase, HostTraffic, LaunchNote } from "../../../core/ports/entry-programs";
import type { Device } from "../device/device";
import { HostLog } from "../device/host-log";
import type { DeviceReport } from "../device/report";
import * as wire from "../protocol/messages";
import type { WireReader } from "../protocol/wire";
import { type Answer, done, written } from "./answers";

/** A case as the thread is given it. */
export type CaseOrder = Pick<EntryCase, "buffers" | "arguments" | "counters" | "detectors">;

/** What the device knows of a case once the process says that it is over. */
export interface CaseReport {
  readonly status: number;
  /** The process's own words, and the place of host code that it names. */
  readonly message: string;
  readonly where: string;
  readonly contents: readonly Uint8Array[];
  readonly report: Omit<DeviceReport, "timed">;
  readonly launches: readonly LaunchNote[];
  readonly traffic: HostTraffic;
}

const wordBytes = 8;

/** The cases of a harness: each is handed over when both the process and the order for it are there. */
export class CaseTurns {
  /** What every module of the program is replaced by. */
  code: DeviceCode | undefined;
  private current: { readonly addresses: readonly bigint[]; readonly log: HostLog } | undefined;
  /** Whichever of the two is there first waits for the other. */
  private process: ((answer: Answer) => void) | undefined;
  private order: CaseOrder | undefined;

  constructor(
    private readonly device: Device,
    private readonly tell: (report: CaseReport) => void,
  ) {}

  /** Answers the process, which waits for its next case. */
  turn(reader: WireReader): Promise<Answer> {
    const { status, message, where } = wire.readTurnRequest(reader);
    if (this.current !== undefined) this.tell(this.finish({ status, message, where }));
    return new Promise((resolve) => {
      this.process = resolve;
      this.meet();
    });
  }

  /** Gives the next case to the process. */
  begin(order: CaseOrder): void {
    this.order = order;
    this.meet();
  }

  private meet(): void {
    const { process, order } = this;
    if (process === undefined || order === undefined) return;
    this.process = undefined;
    this.order = undefined;
    process(this.hand(order));
  }

  private hand(order: CaseOrder): Answer {
    const { device } = this;
    device.begin({ sanitize: order.detectors, profile: order.counters });
    device.takePrinted();
    const addresses = order.buffers.map((buffer) => device.store.lend(buffer));
    const log = new HostLog(
      device.store,
      order.buffers.map(({ content }) => content),
    );
    device.store.log = log;
    this.current = { addresses, log };
    const buffers = order.buffers.map(({ content }, index) => ({
      address: at(addresses, index),
      bytes: content.byteLength,
    }));
    const words = order.arguments.flatMap((argument) =>
      argument.kind === "pointer" ? [at(addresses, argument.buffer)] : wordsOf(argument.bytes),
    );
    return done(written(wire.writeTurnReply, { buffers, arguments: words.map((value) => ({ value })) }));
  }

  private finish(said: Pick<CaseReport, "status" | "message" | "where">): CaseReport {
    const { device, current } = this;
    const { addresses = [], log } = current ?? {};
    this.current = undefined;
    log?.settle();
    // What the program freed has no contents any more.
    const contents = addresses.map((address) =>
      device.store.sizeAt(address) === 0 ? new Uint8Array() : device.store.memory.read(address),
    );
    const report = device.report();
    device.store.log = undefined;
    for (const address of addresses) device.store.free(address, "");
    return {
      ...said,
      contents,
      report,
      launches: device.record.launches,
      traffic: log?.traffic() ?? { readBytes: 0, made: [], movedBytes: 0 },
    };
  }
}

function wordsOf(bytes: Uint8Array): readonly bigint[] {
  const padded = Buffer.alloc(Math.ceil(bytes.byteLength / wordBytes) * wordBytes);
  padded.set(bytes);
  return Array.from({ length: padded.byteLength / wordBytes }, (_, index) =>
    padded.readBigUInt64LE(index * wordBytes),
  );
}
