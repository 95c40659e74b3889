import { addressWindow } from "../../../core/vgpu/index";
import type { Device } from "../device/device";
import { deviceAttributes } from "../device/device-attributes";
import * as wire from "../protocol/messages";
import { WireReader } from "../protocol/wire";
import type { CaseTurns } from "./case-turns";
import { type Answer, done, failed, type Handlers, written } from "./answers";
import { imageHandlers } from "./image-requests";
import { memoryBytes, memoryHandlers } from "./memory-requests";
import { moduleHandlers } from "./module-requests";

/** A thread has no more local memory (CUDA C++ Programming Guide, technical specifications). */
const mostStackBytes = 512 * 1024;
const nanosecondsPerMillisecond = 1e6;

/** What a program may ask of a device whose context is broken. */
const always: ReadonlySet<wire.OperationName> = new Set(["hello", "reset", "turn"]);

const needsCode: ReadonlySet<wire.OperationName> = new Set(["load", "link"]);

/** Answers the requests of PROTOCOL.md with one device. `now`: milliseconds that only grow. */
export class DeviceService {
  private readonly handlers: Handlers<Exclude<wire.OperationName, "turn">>;
  private readonly names: ReadonlyMap<number, wire.OperationName>;
  private asked = false;
  private marks = 0;
  private isHarness = false;

  constructor(
    private readonly device: Device,
    private readonly now: () => number,
    /** For a harness: its cases. Other programs have none. */
    private readonly turns?: CaseTurns,
    /** Ends when the code is there that stands for the program's modules. */
    private readonly coded?: Promise<void>,
  ) {
    this.names = new Map(operationNames().map((name) => [wire.operations[name], name]));
    this.handlers = {
      ...memoryHandlers(device.store),
      ...moduleHandlers(device, () => turns?.code),
      ...imageHandlers(device.store),
      hello: (reader) => this.hello(reader),
      synchronize: (reader) => {
        device.store.log?.calls.waited(wire.readSynchronizeRequest(reader).where);
        return done(written(wire.writeSynchronizeReply, { printed: device.takePrinted() }));
      },
      mark: () => this.mark(),
      reset: () => {
        device.reset();
        return done();
      },
      elapsed: () => {
        this.asked = true;
        return done();
      },
      limit: (reader) => this.limit(wire.readLimitRequest(reader)),
      tell: (reader) => {
        const { message, where } = wire.readTellRequest(reader);
        device.context.tell(message, where);
        return done();
      },
    };
  }

  /** True once the program has asked for a time. */
  get timed(): boolean {
    return this.asked;
  }

  /** Throws WireError for a body that is not its operation's. */
  handle(operation: number, body: Uint8Array): Answer | Promise<Answer> {
    const name = this.names.get(operation);
    if (name !== "launch") this.device.context.held.settle();
    if (name === undefined)
      return failed({
        status: wire.statuses.notSupported,
        message: `the device knows no operation ${operation}`,
      });
    const { problem } = this.device.context;
    if (problem !== undefined && !always.has(name)) return failed(problem);
    const reader = new WireReader(body);
    if (name === "turn") return this.turn(reader);
    if (this.coded === undefined || !needsCode.has(name)) return this.handlers[name](reader);
    return this.coded.then(() => this.handlers[name](reader));
  }

  private turn(reader: WireReader): Answer | Promise<Answer> {
    this.isHarness = true;
    return this.turns?.turn(reader) ?? failed({ status: wire.statuses.notSupported, message: "no harness" });
  }

  private hello(reader: WireReader): Answer {
    const { version } = wire.readHelloRequest(reader);
    if (version !== wire.protocolVersion)
      return failed({
        status: wire.statuses.notSupported,
        message: `the program speaks version ${version} of the device protocol, the device version ${wire.protocolVersion}`,
      });
    const { gpu, options } = this.device;
    const { sanitizes, profiles } = wire.deviceFlags;
    const attributes = deviceAttributes(gpu, options.architecture);
    const reply = {
      version: wire.protocolVersion,
      flags: (options.sanitize ? sanitizes : 0) | (options.profile ? profiles : 0),
      name: gpu.name,
      memoryBytes,
      windowBase: BigInt(addressWindow.base),
      windowBytes: BigInt(addressWindow.bytes),
      attributes: [...attributes].map(([attribute, value]) => ({ attribute, value })),
    };
    return done(written(wire.writeHelloReply, reply));
  }

  /**
   * What a harness, a program that asks for turns, takes to its caller is compared from run to run: between
   * two of its marks lies a millisecond, however long that took.
   */
  private mark(): Answer {
    this.marks += 1;
    const { isHarness, marks, device } = this;
    const wall = BigInt(Math.round((isHarness ? marks : this.now()) * nanosecondsPerMillisecond));
    const modelled = isHarness ? wall : BigInt(Math.round(device.record.modelledNanoseconds));
    const sampled = BigInt(device.sampledLaunches);
    return done(written(wire.writeMarkReply, { wall, modelled, sampled }));
  }

  private limit({ limit, value }: wire.LimitRequest): Answer {
    const { stackSize, mallocHeapSize } = wire.deviceLimits;
    if (limit === stackSize && value > mostStackBytes)
      return failed({
        status: wire.statuses.invalidValue,
        message: `a stack of ${value} bytes a thread is more than ${mostStackBytes}`,
      });
    if (limit === stackSize) this.device.stackBytes = Math.max(this.device.stackBytes, value);
    if (limit === mallocHeapSize) this.device.store.memory.heap.size = value;
    return done();
  }
}

function operationNames(): readonly wire.OperationName[] {
  return Object.keys(wire.operations) as wire.OperationName[];
}
