import { at } from "../../../../core/base/known";
import type { CompiledKernel } from "../../../../core/vgpu/index";
import type {
  Capture,
  CapturedBuffer,
  CapturedLaunch,
  CapturedPointer,
  CapturedVariable,
  CaptureLimits,
} from "../../../../core/workload/capture/captured";
import { readableName } from "../../../../core/base/symbols/symbol-name";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import type { CompletedLaunch } from "./launch-effects";
import { addressBytes, addressesIn, pointersOf } from "./launch-pointers";
import { type Reached, StoredPlaces } from "./stored-places";

/** A launch that is being recorded: what it may change, and the copies from before. */
interface Begun {
  readonly launch: CapturedLaunch;
  readonly addresses: readonly bigint[];
  readonly variables: readonly bigint[];
}

/**
 * Records the launches of a program: different ones whole, up to the limits, equal ones by their number.
 * Launches are equal when kernel, shape, scalars and the sizes of their buffers are.
 */
export class LaunchRecorder {
  private readonly launches = new Map<string, CapturedLaunch>();
  private readonly leftOut = new Map<string, Set<string>>();
  private readonly unrecorded = new Map<string, CapturedLaunch>();
  /** Launches that have begun and not ended: what they were passed is known where they take too long. */
  private readonly unfinished = new Map<string, CapturedLaunch>();
  private readonly stored = new StoredPlaces();

  constructor(
    private readonly limits: CaptureLimits,
    private readonly store: DeviceStore,
  ) {}

  /** Looks at a launch before it runs; what it gives has to be called when the launch has completed. */
  begin(launch: DeviceLaunch, kernel: CompiledKernel): (completed: CompletedLaunch) => void {
    const { pointers, addresses } = pointersOf(this.store, launch, kernel);
    const variables = this.variablesOf(kernel);
    const ended = this.keep(launch, kernel, { pointers, addresses, variables });
    return (completed) => {
      ended(completed);
      this.stored.note(launch.kernel, { pointers, addresses, variables }, completed);
    };
  }

  private keep(
    launch: DeviceLaunch,
    kernel: CompiledKernel,
    { pointers, addresses, variables }: Reached,
  ): (completed: CompletedLaunch) => void {
    const key = this.keyOf(launch, pointers, addresses);
    const known = this.launches.get(key);
    if (known !== undefined) this.launches.set(key, { ...known, count: known.count + 1 });
    if (known !== undefined && hasChanged(known)) return () => this.touch(addresses);
    if (known === undefined) this.makeRoom(launch.kernel);
    if (!this.hasRoom(key, launch.kernel, [...addresses, ...variables.map(([, address]) => address)])) {
      if (known === undefined) {
        this.leaveOut(launch.kernel, key);
        if (!this.unrecorded.has(launch.kernel))
          this.unrecorded.set(launch.kernel, withoutContents(launch, kernel, { pointers, addresses }));
      }
      return () => this.touch(addresses);
    }
    const begun = {
      launch: this.captured(launch, kernel, { pointers, addresses, variables }),
      addresses,
      variables: variables.map(([, address]) => address),
    };
    const { kernel: symbol } = launch;
    if (!this.unfinished.has(symbol))
      this.unfinished.set(symbol, withoutContents(launch, kernel, { pointers, addresses }));
    return ({ warpInstructions }) => {
      this.unfinished.delete(symbol);
      this.end(key, begun, warpInstructions);
    };
  }

  /** True for a launch that a recorded one stands for, or that there was no room for. */
  showsNothingNew(launch: DeviceLaunch, kernel: CompiledKernel): boolean {
    const { pointers, addresses } = pointersOf(this.store, launch, kernel);
    const key = this.keyOf(launch, pointers, addresses);
    const known = this.launches.get(key);
    return known === undefined ? this.leftOut.get(launch.kernel)?.has(key) === true : hasChanged(known);
  }

  capture(): Omit<Capture, "skipped"> {
    return {
      launches: [...this.launches.values()].map((launch) => this.stored.told(launch)),
      leftOut: Object.fromEntries([...this.leftOut].map(([kernel, keys]) => [kernel, keys.size])),
      unrecorded: [...new Map([...this.unfinished, ...this.unrecorded]).values()],
    };
  }

  /** A launch that changed nothing gives way to one that may, where there is no room for both. */
  private makeRoom(kernel: string): void {
    const own = [...this.launches].filter(([, each]) => each.kernel === kernel);
    const idle = own.find(([, each]) => !hasChanged(each));
    if (own.length < this.limits.launches || idle === undefined) return;
    this.launches.delete(idle[0]);
    this.leaveOut(kernel, idle[0]);
  }

  /**
   * Whether the limits leave room for a launch that can reach these allocations, in the place of an equal
   * one.
   */
  private hasRoom(key: string, kernel: string, addresses: readonly bigint[]): boolean {
    const others = [...this.launches].filter(([each]) => each !== key).map(([, launch]) => launch);
    const own = others.filter((each) => each.kernel === kernel);
    const before = addresses.reduce((sum, address) => sum + this.store.sizeAt(address), 0);
    const kept = others.reduce((sum, launch) => sum + bytesOf(launch), 0);
    return own.length < this.limits.launches && kept + 2 * before <= this.limits.bytes;
  }

  private leaveOut(kernel: string, key: string): void {
    this.leftOut.set(kernel, (this.leftOut.get(kernel) ?? new Set()).add(key));
  }

  private end(key: string, { launch, addresses, variables }: Begun, warpInstructions: number): void {
    const { count } = this.launches.get(key) ?? launch;
    const changed = <Part extends { readonly before: Uint8Array }>(
      parts: readonly Part[],
      places: readonly bigint[],
    ) =>
      parts.map((part, index) => {
        const now = this.store.memory.read(at(places, index));
        return { ...part, after: Buffer.compare(now, part.before) === 0 ? undefined : now };
      });
    this.launches.set(key, {
      ...launch,
      count,
      warpInstructions,
      buffers: changed(launch.buffers, addresses),
      variables: changed(launch.variables, variables),
    });
    this.touch(addresses);
  }

  private captured(launch: DeviceLaunch, kernel: CompiledKernel, found: Reached): CapturedLaunch {
    const buffers = found.addresses.map((address): CapturedBuffer => {
      const before = this.store.memory.read(address);
      const untouched = !this.store.touched.has(address);
      const addresses = addressesIn(this.store, before);
      return { before, after: undefined, untouched, addresses, stored: false };
    });
    const variables = found.variables.map(([name, address]): CapturedVariable => ({
      name,
      before: this.store.memory.read(address),
      after: undefined,
      stored: false,
    }));
    return {
      ...withoutContents(launch, kernel, found),
      buffers,
      variables,
    };
  }

  /**
   * Variables of the module that the kernel's code names, with their addresses. Those that the compiler has
   * made itself (`$str`, the text of a printf) are constants of the code, which a replay has as well.
   */
  private variablesOf({ code }: CompiledKernel): readonly (readonly [string, bigint])[] {
    const own = [...code.symbols].filter((name) => !name.startsWith("$"));
    return own.flatMap((name) => {
      const address = this.store.memory.symbol(code.ptx, name);
      return address === undefined ? [] : [[readableName(name).name, address] as const];
    });
  }

  private keyOf(
    launch: DeviceLaunch,
    pointers: readonly CapturedPointer[],
    addresses: readonly bigint[],
  ): string {
    // A copy: the parameters are a view of the request.
    const scalars = new Uint8Array(launch.parameters);
    for (const { at } of pointers) scalars.fill(0, at, at + addressBytes);
    return JSON.stringify([
      launch.kernel,
      launch.grid,
      launch.block,
      launch.dynamicSharedBytes,
      Buffer.from(scalars).toString("hex"),
      pointers,
      addresses.map((address) => this.store.sizeAt(address)),
    ]);
  }

  /** What a launch could write counts as written from then on. */
  private touch(addresses: readonly bigint[]): void {
    for (const address of addresses) this.store.touched.add(address);
  }
}

const nothing = new Uint8Array();

/** A launch with its arguments, and buffers of which nothing was looked at. */
function withoutContents(
  launch: DeviceLaunch,
  kernel: CompiledKernel,
  found: { readonly pointers: readonly CapturedPointer[]; readonly addresses: readonly bigint[] },
): CapturedLaunch {
  return {
    kernel: launch.kernel,
    grid: launch.grid,
    block: launch.block,
    dynamicSharedBytes: launch.dynamicSharedBytes,
    // A copy: the parameters are a view of the request.
    parameters: new Uint8Array(launch.parameters),
    layout: kernel.parameters.map(({ offset, size }) => ({ offset, size })),
    pointers: found.pointers,
    buffers: found.addresses.map(() => ({
      ...{ before: nothing, after: undefined, untouched: true, addresses: 0, stored: false },
    })),
    variables: [],
    count: 1,
    where: launch.where,
    triton: launch.triton,
    warpInstructions: 0,
  };
}

function hasChanged({ buffers, variables }: CapturedLaunch): boolean {
  return [...buffers, ...variables].some(({ after }) => after !== undefined);
}

/** Bytes of the contents before and after. */
function bytesOf({ buffers, variables }: CapturedLaunch): number {
  return [...buffers, ...variables].reduce(
    (sum, { before, after }) => sum + before.byteLength + (after?.byteLength ?? 0),
    0,
  );
}
