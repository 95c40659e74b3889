import { at, mustGet } from "../../../core/base/known";
import type {
  DeviceCode,
  EntryCase,
  ExecutedLaunch,
  HeapUse,
  HostTraffic,
  KeptThings,
  LaunchNote,
} from "../../../core/ports/entry-programs";
import { AccessLedger, type AllocationAccess, type LastStore } from "../../../core/vgpu/index";
import type { Device } from "../device/device";
import { HostLog, noTraffic } from "../device/host/host-log";
import type { DeviceReport } from "../device/report";
import { ShakenLog } from "../device/host/shaken-log";
import { WatchedByte } from "../device/watch/watched-byte";
import * as wire from "../protocol/messages";
import type { WireReader } from "../protocol/wire";
import { type Answer, done, written } from "./answers";

/** A case as the thread is given it. */
export type CaseOrder = Pick<
  EntryCase,
  | "buffers"
  | "arguments"
  | "counters"
  | "detectors"
  | "executed"
  | "probe"
  | "watched"
  | "streams"
  | "callsTwice"
  | "secondDevice"
  | "blocks"
  | "arithmetic"
  | "shaken"
>;

/** What the device knows of a case once the process says that it is over. */
export interface CaseReport {
  readonly status: number;
  /** The process's own words, and the place of host code that it names. */
  readonly message: string;
  readonly where: string;
  /** Of each buffer that was lent; undefined for one that the program freed. */
  readonly contents: readonly (Uint8Array<ArrayBuffer> | undefined)[];
  readonly report: Omit<DeviceReport, "timed">;
  readonly launches: readonly LaunchNote[];
  readonly executed?: readonly ExecutedLaunch[];
  readonly traffic: HostTraffic;
  /** Of a probe, for each buffer that was lent. */
  readonly accesses?: readonly AllocationAccess[];
  readonly warpInstructions: number;
  /** See EntryOutcome. */
  readonly heap?: HeapUse;
  readonly kept: KeptThings;
  readonly writer?: LastStore | "nobody";
}

const wordBytes = 8;

/** The cases of a harness: each is handed over when both the process and the order for it are there. */
export class CaseTurns {
  /** What every module of the program is replaced by. */
  code: DeviceCode | undefined;
  private current: CurrentCase | undefined;
  /** Whichever of the two is there first waits for the other. */
  private process: ((answer: Answer) => void) | undefined;
  private order: CaseOrder | undefined;

  constructor(
    private readonly device: Device,
    private readonly tell: (report: CaseReport) => void,
  ) {}

  /** Answers the process, which waits for its next case. */
  turn(reader: WireReader): Promise<Answer> {
    const { status, message, where, hostSteps, kept } = wire.readTurnRequest(reader);
    if (this.current !== undefined) this.tell(this.finish({ status, message, where }, { hostSteps, kept }));
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
    const { detectors: sanitize, counters: profile, probe, blocks, executed, arithmetic } = order;
    const overlaps = order.streams !== undefined;
    device.begin({ sanitize, profile, probe, blocks, executed, arithmetic, overlaps });
    device.takePrinted();
    const addresses = order.buffers.map((buffer) => device.store.lend(buffer));
    const kept = new HostLog(
      device.store,
      order.buffers.map((buffer, index) => ({ address: at(addresses, index), buffer })),
    );
    const log = order.shaken ? new ShakenLog(device.store, kept) : kept;
    device.store.log = log;
    const lent = new Set(addresses);
    const ledger = new AccessLedger(
      order.probe === undefined
        ? []
        : device.store.memory.allocations().filter((each) => lent.has(each.address)),
    );
    device.store.ledger = order.probe === undefined ? undefined : ledger;
    const { watched } = order;
    if (watched !== undefined) {
      const byte = new WatchedByte(device.store.memory, at(addresses, watched.buffer), watched.byte);
      device.options = { ...device.options, watchedByte: byte };
    }
    this.current = { addresses, log, order, ledger, heapBefore: device.store.memory.heap.taken };
    const buffers = order.buffers.map(({ content, room }, index) => ({
      address: at(addresses, index),
      bytes: room?.bytes ?? content.byteLength,
    }));
    const begins = order.buffers.map(({ room }, index) => at(addresses, index) + BigInt(room?.before ?? 0));
    const words = order.arguments.flatMap((argument) =>
      argument.kind === "pointer" ? [at(begins, argument.buffer)] : wordsOf(argument.bytes),
    );
    const flags =
      (order.streams === "latest-first" ? wire.turnFlags.latestStreamFirst : 0) |
      (order.streams === "others-first" ? wire.turnFlags.othersFirst : 0) |
      (order.secondDevice === true ? wire.turnFlags.secondDevice : 0) |
      (order.arithmetic === "rounded-up" ? wire.turnFlags.roundedUp : 0) |
      (order.arithmetic === "rounded-down" ? wire.turnFlags.roundedDown : 0) |
      (order.callsTwice === true ? wire.turnFlags.callsTwice : 0);
    return done(
      written(wire.writeTurnReply, { buffers, arguments: words.map((value) => ({ value })), flags }),
    );
  }

  private finish(
    said: Pick<CaseReport, "status" | "message" | "where">,
    { hostSteps, kept }: Pick<wire.TurnRequest, "hostSteps" | "kept">,
  ): CaseReport {
    const { device, current } = this;
    const { addresses = [], log, heapBefore = 0 } = current ?? {};
    const { taken, size } = device.store.memory.heap;
    const isProbe = current?.order.probe !== undefined;
    this.current = undefined;
    log?.settle();
    const contents = addresses.map((address) => (isProbe ? new Uint8Array() : this.contentAt(address)));
    const report = device.report();
    const { executed } = device.record;
    device.store.log = undefined;
    device.store.ledger = undefined;
    const writer = device.options.watchedByte?.writer;
    device.options = { ...device.options, watchedByte: undefined };
    for (const address of addresses) device.store.free(address, "");
    const held = device.store.allocated().map((address) => device.store.sizeAt(address));
    const deviceBytes = held.reduce((sum: number, bytes) => sum + bytes, 0);
    return {
      ...said,
      contents,
      report,
      launches: device.record.launches,
      ...(executed && { executed }),
      traffic: trafficOf(log, hostSteps),
      ...(current !== undefined && isProbe ? { accesses: observed(current) } : {}),
      warpInstructions: device.record.warpInstructions,
      kept: { ...kept, deviceBytes },
      ...(taken > 0 && { heap: { before: heapBefore, after: taken, size } }),
      ...(writer && { writer }),
    };
  }

  private contentAt(address: bigint): Uint8Array<ArrayBuffer> | undefined {
    const { store } = this.device;
    if (!store.allocated().includes(address)) return undefined;
    return store.sizeAt(address) === 0 ? new Uint8Array() : store.memory.read(address);
  }
}

/** What host code did in a case, with how many steps of its own. */
function trafficOf(log: CurrentCase["log"] | undefined, steps: number): HostTraffic {
  const traffic = log?.traffic() ?? noTraffic;
  return { ...traffic, calls: { ...traffic.calls, steps } };
}

/** The case that the process works on. */
interface CurrentCase {
  readonly order: CaseOrder;
  readonly addresses: readonly bigint[];
  readonly log: HostLog | ShakenLog;
  readonly ledger: AccessLedger;
  /** Bytes of the heap of kernels that earlier cases have left taken. */
  readonly heapBefore: number;
}

/** What was touched of each buffer. */
function observed({ order, ledger }: CurrentCase): readonly AllocationAccess[] {
  const seen = new Map(ledger.result(() => [0, 0, 0]).map((each) => [each.name, each]));
  return order.buffers.map(({ name }) => mustGet(seen, name));
}

function wordsOf(bytes: Uint8Array): readonly bigint[] {
  const padded = Buffer.alloc(Math.ceil(bytes.byteLength / wordBytes) * wordBytes);
  padded.set(bytes);
  return Array.from({ length: padded.byteLength / wordBytes }, (_, index) =>
    padded.readBigUInt64LE(index * wordBytes),
  );
}
