import { functionAddress, parameterBytesOf } from "../../functions";
import type { PtxFunction } from "../../ptx/module";
import type { FaultError } from "../findings/faults";
import type { LaunchState } from "../state/launch-state";
import type { ChildWork, Triple } from "../state/types";

/** What the calls need of their caller. */
interface DeviceCaller {
  /** Writable bytes of device memory from an address; a bad address is a fault. */
  readonly bytes: (address: bigint, count: number) => Uint8Array;
  /** Room on the heap of kernels; 0 when it is full. */
  readonly allocate: (bytes: bigint) => bigint;
  readonly free: (address: bigint) => bigint;
  readonly fault: (message: string) => FaultError;
}

/** A launch whose arguments are being written. */
type Prepared = Omit<Extract<ChildWork, { kind: "launch" }>, "parameters" | "isTail"> & {
  readonly parameterBytes: number;
};

type DeviceFunction = (values: readonly bigint[], caller: DeviceCaller) => bigint;

const success = 0n;
/** cudaErrorMemoryAllocation and cudaErrorInvalidValue. */
const noMemory = 2n;
/** cudaStreamTailLaunch (driver_types.h): work that begins when the grid and all else of it has ended. */
const tailStream = 3n;
const unknownError = "unrecognized error code";
/** Handles of streams and events in kernels: all work is in one order, so that one is like another. */
const handle = 0x10n;
const errorNames: ReadonlyMap<bigint, readonly [string, string]> = new Map([
  [success, ["cudaSuccess", "no error"]],
  [noMemory, ["cudaErrorMemoryAllocation", "out of memory"]],
]);

/**
 * CUDA's runtime for kernels (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"). What a kernel
 * launches, copies and fills is handed to the host in the order of the calls, to be done when the grid has
 * ended. That is one of the orders that CUDA allows, as no grid can wait for what it launches.
 */
export class DeviceRuntime {
  private readonly prepared = new Map<bigint, Prepared>();
  private readonly texts = new Map<string, bigint>();
  private lastError = success;

  private readonly functions: Readonly<Record<string, DeviceFunction>> = {
    GetParameterBufferV2: (words, caller) => this.prepare(words, caller),
    LaunchDeviceV2: ([buffer = 0n, stream], caller) => this.launch(buffer, stream, caller),
    GetLastError: () => this.takeError(),
    PeekAtLastError: () => this.lastError,
    GetErrorName: ([error = 0n], caller) => this.text(errorNames.get(error)?.[0] ?? unknownError, caller),
    GetErrorString: ([error = 0n], caller) => this.text(errorNames.get(error)?.[1] ?? unknownError, caller),
    GetDevice: ([to = 0n], caller) => write(caller, to, 4, 0n),
    GetDeviceCount: ([to = 0n], caller) => write(caller, to, 4, 1n),
    StreamCreateWithFlags: ([to = 0n], caller) => write(caller, to, 8, handle),
    EventCreateWithFlags: ([to = 0n], caller) => write(caller, to, 8, handle),
    MemcpyAsync: ([to = 0n, from = 0n, bytes = 0n, , stream]) =>
      this.follow({ kind: "copy", to, from, bytes: Number(bytes), isTail: stream === tailStream }),
    MemsetAsync: ([to = 0n, value = 0n, bytes = 0n, stream]) =>
      this.follow({
        kind: "fill",
        to,
        value: Number(value),
        bytes: Number(bytes),
        isTail: stream === tailStream,
      }),
    Malloc: ([to = 0n, bytes = 0n], caller) => this.allocate(to, bytes, caller),
    // A condition of a graph is a number in device memory, and its handle the address.
    cudaGraphSetConditional: ([condition = 0n, value = 0n], caller) => write(caller, condition, 4, value),
    Free: ([address = 0n], caller) => caller.free(address),
  };

  constructor(private readonly state: LaunchState) {}

  /** `name`: without its prefix. What is not listed only orders what is in one order anyway. */
  call(name: string, values: readonly bigint[], caller: DeviceCaller): bigint {
    return this.functions[name.replace(/_ptsz$/, "")]?.(values, caller) ?? success;
  }

  /** The arguments' place. `words`: kernel, grid, block and shared bytes, behind each other. */
  private prepare(words: readonly bigint[], caller: DeviceCaller): bigint {
    const [address = 0n] = words;
    const sizes = words.slice(1).flatMap((word) => [low(word), low(word >> 32n)]);
    const [x = 1, y = 1, z = 1, width = 1, height = 1, depth = 1, dynamicSharedBytes = 0] = sizes;
    const kernel = this.kernelAt(address);
    if (!kernel) throw caller.fault(`bad launch: 0x${address.toString(16)} is no kernel`);
    const parameterBytes = parameterBytesOf(kernel);
    const buffer = caller.allocate(BigInt(Math.max(8, parameterBytes)));
    if (buffer === 0n)
      throw caller.fault(
        "bad launch: the heap of kernels has no room for the arguments (cudaDeviceSetLimit, cudaLimitMallocHeapSize)",
      );
    const [grid, block]: readonly [Triple, Triple] = [
      [x, y, z],
      [width, height, depth],
    ];
    this.prepared.set(buffer, {
      kind: "launch",
      kernel: kernel.name,
      grid,
      block,
      dynamicSharedBytes,
      parameterBytes,
    });
    return buffer;
  }

  private launch(buffer: bigint, stream: bigint | undefined, caller: DeviceCaller): bigint {
    const found = this.prepared.get(buffer);
    if (!found)
      throw caller.fault("bad launch: its arguments were never prepared, or it was launched before");
    const { parameterBytes, ...launch } = found;
    const parameters = caller.bytes(buffer, parameterBytes).slice(0, parameterBytes);
    this.prepared.delete(buffer);
    caller.free(buffer);
    return this.follow({ ...launch, parameters, isTail: stream === tailStream });
  }

  private follow(work: ChildWork): bigint {
    this.state.request.follow?.(work);
    return success;
  }

  private takeError(): bigint {
    const error = this.lastError;
    this.lastError = success;
    return error;
  }

  private allocate(target: bigint, bytes: bigint, caller: DeviceCaller): bigint {
    const block = caller.allocate(bytes);
    write(caller, target, 8, block);
    if (block !== 0n) return success;
    this.lastError = noMemory;
    return noMemory;
  }

  /** A text in device memory, with a zero at its end. */
  private text(content: string, caller: DeviceCaller): bigint {
    const known = this.texts.get(content);
    if (known !== undefined) return known;
    const address = caller.allocate(BigInt(content.length + 1));
    if (address === 0n) return 0n;
    caller.bytes(address, content.length + 1).set([...new TextEncoder().encode(content), 0]);
    this.texts.set(content, address);
    return address;
  }

  private kernelAt(address: bigint): PtxFunction | undefined {
    const { ptx } = this.state.kernel.code;
    for (const [name, body] of ptx.functions)
      if (body.isEntry && functionAddress(ptx, name) === address) return body;
    return undefined;
  }
}

function low(word: bigint): number {
  return Number(word & 0xffff_ffffn);
}

function write(caller: DeviceCaller, address: bigint, size: 4 | 8, value: bigint): bigint {
  const bytes = caller.bytes(address, size);
  for (let at = 0; at < size; at += 1) bytes[at] = Number((value >> BigInt(8 * at)) & 0xffn);
  return success;
}
