import { type Outcome } from "../../../core/base/outcome";
import { addressWindow } from "../../../core/vgpu/index";
import { deviceAttributes } from "../device/device-attributes";
import type { Rectangle } from "../device/device-store";
import type { Device } from "../device/device";
import { dropImage, makeImage } from "./image-requests";
import { contentOf, readModule, readParts } from "./module-requests";
import { Transfers } from "./transfers";
import { type Reply, protocolVersion, WireReader, WireWriter } from "./wire";
import { statuses, type DeviceProblem } from "../device/statuses";

/** A reply, and what is to be done once it is on its way. */
export interface Answer {
  readonly reply: Reply;
  readonly afterwards?: () => void;
}

type Handler = (reader: WireReader) => Answer;

const nothing = new Uint8Array();
const memoryBytes = 2 ** 32;

function done(body: Uint8Array = nothing): Answer {
  return { reply: { status: statuses.success, body } };
}

function failed({ status, message }: DeviceProblem): Answer {
  return { reply: { status, body: Buffer.from(message, "utf8") } };
}

function answer<Value>(
  outcome: Outcome<Value, DeviceProblem>,
  body: (value: Value) => Uint8Array = () => nothing,
): Answer {
  return outcome.ok ? done(body(outcome.value)) : failed(outcome.problem);
}

function rectangle(reader: WireReader): Rectangle {
  return { address: reader.wide(), pitch: reader.size(), ...extent(reader) };
}

/** Width and height. Rows without bytes are no rows, however many are named. */
function extent(reader: WireReader): Pick<Rectangle, "width" | "height"> {
  const [width, height] = [reader.size(), reader.size()];
  return width === 0 || height === 0 ? { width: 0, height: 0 } : { width, height };
}

/** Numbers of `cudaLimit`. */
const limits = { stackSize: 0, mallocHeapSize: 2 } as const;
/** A thread has no more local memory (CUDA C++ Programming Guide, technical specifications). */
const mostStackBytes = 512 * 1024;
const nanosecondsPerMillisecond = 1e6;

/** Answers the requests of PROTOCOL.md with one device. `now`: milliseconds that only grow. */
export class DeviceService {
  private readonly handlers: ReadonlyMap<number, Handler>;
  private readonly transfers: Transfers;
  private asked = false;

  constructor(
    private readonly device: Device,
    private readonly now: () => number,
  ) {
    this.transfers = new Transfers(device.store);
    this.handlers = new Map<number, Handler>([
      [1, (reader) => this.hello(reader)],
      [2, (reader) => this.allocate(reader)],
      [3, (reader) => answer(device.store.free(reader.wide(), reader.text()))],
      [4, (reader) => this.write(reader)],
      [5, (reader) => answer(this.transfers.read(rectangle(reader), reader.text()), (bytes) => bytes)],
      [6, (reader) => this.fill(reader)],
      [7, (reader) => this.copy(reader)],
      [8, (reader) => answer(device.add(readModule(reader)), contentOf)],
      [9, (reader) => this.launch(reader)],
      [10, () => done(new WireWriter().text(device.takePrinted()).bytes())],
      [11, () => this.mark()],
      [12, (reader) => this.occupancy(reader)],
      [
        13,
        () =>
          done(
            new WireWriter()
              .wide(memoryBytes - Math.min(memoryBytes, device.store.usedBytes()))
              .wide(memoryBytes)
              .bytes(),
          ),
      ],
      [
        14,
        () => {
          device.reset();
          return done();
        },
      ],
      [
        15,
        () => {
          this.asked = true;
          return done();
        },
      ],
      [16, (reader) => this.limit(reader)],
      [
        18,
        (reader) => {
          device.tell(reader.text(), reader.text());
          return done();
        },
      ],
      [17, (reader) => answer(this.transfers.fetch(rectangle(reader), reader.text()), (bytes) => bytes)],
      [
        19,
        (reader) => {
          this.transfers.misuse(reader.text(), reader.text());
          return done();
        },
      ],
      [
        20,
        (reader) =>
          answer(makeImage(device.store, reader), (handle) => new WireWriter().wide(handle).bytes()),
      ],
      [21, (reader) => answer(dropImage(device.store, reader))],
      [22, (reader) => answer(device.add(readParts(reader)), contentOf)],
    ]);
  }

  /** True once the program has asked for a time. */
  get timed(): boolean {
    return this.asked;
  }

  /** Throws WireError for a body that is none of its operation's. */
  handle(operation: number, body: Uint8Array): Answer {
    const handler = this.handlers.get(operation);
    if (handler === undefined)
      return failed({ status: statuses.notSupported, message: `the device knows no operation ${operation}` });
    const { problem } = this.device;
    if (problem !== undefined && operation !== 1 && operation !== 14) return failed(problem);
    return handler(new WireReader(body));
  }

  private hello(reader: WireReader): Answer {
    const version = reader.count();
    if (version !== protocolVersion)
      return failed({
        status: statuses.notSupported,
        message: `the program speaks version ${version} of the device protocol, the device version ${protocolVersion}`,
      });
    const { gpu, options } = this.device;
    const attributes = deviceAttributes(gpu, options.architecture);
    const writer = new WireWriter()
      .count(protocolVersion)
      .count((options.sanitize ? 1 : 0) + (options.profile ? 2 : 0))
      .text(gpu.name)
      .wide(memoryBytes)
      .wide(addressWindow.base)
      .wide(addressWindow.bytes)
      .count(attributes.size);
    for (const [attribute, value] of attributes) writer.count(attribute).count(value);
    return done(writer.bytes());
  }

  private allocate(reader: WireReader): Answer {
    const bytes = reader.size();
    return answer(this.device.store.allocate(bytes, reader.text(), reader.text()), (address) =>
      new WireWriter().wide(address).bytes(),
    );
  }

  private write(reader: WireReader): Answer {
    const target = rectangle(reader);
    const offset = reader.size();
    const where = reader.text();
    return answer(this.transfers.write(target, offset, reader.rest(), where));
  }

  private fill(reader: WireReader): Answer {
    const target = rectangle(reader);
    const value = reader.count();
    const unit = reader.count();
    return answer(this.transfers.fill(target, value, unit, reader.text()));
  }

  private copy(reader: WireReader): Answer {
    const to = { address: reader.wide(), pitch: reader.size() };
    const from = { address: reader.wide(), pitch: reader.size() };
    const size = extent(reader);
    return answer(this.transfers.copy({ ...to, ...size }, { ...from, ...size }, reader.text()));
  }

  private launch(reader: WireReader): Answer {
    const module = reader.wide();
    const kernel = reader.text();
    const triple = (): readonly [number, number, number] => [reader.count(), reader.count(), reader.count()];
    const [grid, block] = [triple(), triple()];
    const [dynamicSharedBytes, dynamicSharedLimit, flags] = [reader.count(), reader.count(), reader.count()];
    const where = reader.text();
    const parameters = reader.data(reader.count());
    const prepared = this.device.prepare({
      module,
      kernel,
      grid,
      block,
      dynamicSharedBytes,
      dynamicSharedLimit,
      cooperative: (flags & 1) !== 0,
      counted: (flags & 2) !== 0,
      breaksWhenRefused: (flags & 4) !== 0,
      triton: (flags & 8) !== 0,
      where,
      parameters,
    });
    return prepared.ok ? { ...done(), afterwards: prepared.value } : failed(prepared.problem);
  }

  private mark(): Answer {
    const wall = BigInt(Math.round(this.now() * nanosecondsPerMillisecond));
    return done(
      new WireWriter()
        .wide(wall)
        .wide(BigInt(Math.round(this.device.record.modelledNanoseconds)))
        .bytes(),
    );
  }

  private limit(reader: WireReader): Answer {
    const limit = reader.count();
    const value = reader.size();
    if (limit === limits.stackSize && value > mostStackBytes)
      return failed({
        status: statuses.invalidValue,
        message: `a stack of ${value} bytes a thread is more than ${mostStackBytes}`,
      });
    if (limit === limits.stackSize) this.device.stackBytes = Math.max(this.device.stackBytes, value);
    if (limit === limits.mallocHeapSize) this.device.store.memory.heap.size = value;
    return done();
  }

  private occupancy(reader: WireReader): Answer {
    const kernel = { module: reader.wide(), name: reader.text() };
    return answer(
      this.device.occupancy(kernel, { threads: reader.count(), dynamicSharedBytes: reader.count() }),
      (blocks) => new WireWriter().count(blocks).bytes(),
    );
  }
}
