import type { CompiledKernel } from "../../../../core/vgpu/index";
import type { Capture, CapturedLaunch, CaptureLimits } from "../../../../core/workload/capture/captured";
import { readableName } from "../../../../core/base/symbols/symbol-name";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import type { CompletedLaunch } from "./launch-effects";
import { LaterLaunches } from "./later-launches";
import { addressBytes, pointersOf } from "./launch-pointers";
import { bytesOf, hasChanged, RecordedLaunch, withoutContents } from "./recorded-launch";
import { type Reached, StoredPlaces } from "./stored-places";

/** A launch that is about to run. */
interface NextLaunch {
  readonly launch: DeviceLaunch;
  readonly kernel: CompiledKernel;
  readonly reached: Reached;
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
  private readonly later = new LaterLaunches();

  constructor(
    private readonly limits: CaptureLimits,
    private readonly store: DeviceStore,
  ) {}

  /** Looks at a launch before it runs; what it gives has to be called when the launch has completed. */
  begin(launch: DeviceLaunch, kernel: CompiledKernel): (completed: CompletedLaunch) => void {
    const reached = { ...pointersOf(this.store, launch, kernel), variables: this.variablesOf(kernel) };
    const isLater = this.later.isNext(launch.kernel);
    const key = this.keyOf(launch, reached);
    const first = this.beginFirst(key, { launch, kernel, reached });
    const isRecorded = first !== undefined || !isLater || !this.hasBytes(reached);
    const later = isRecorded ? undefined : new RecordedLaunch(this.store, launch, kernel, reached);
    return (completed) => {
      first?.(completed);
      if (later) this.later.note(key, later.end(completed.warpInstructions), this.recordedOf(launch.kernel));
      for (const address of reached.addresses) this.store.touched.add(address);
      this.stored.note(launch.kernel, reached, completed);
    };
  }

  /** Undefined for a launch that others stand for, or that there is no room for. */
  private beginFirst(
    key: string,
    { launch, kernel, reached }: NextLaunch,
  ): ((completed: CompletedLaunch) => void) | undefined {
    const known = this.launches.get(key);
    if (known !== undefined) this.launches.set(key, { ...known, count: known.count + 1 });
    if (known !== undefined && hasChanged(known)) return undefined;
    if (known === undefined) this.makeRoom(launch.kernel);
    const { kernel: symbol } = launch;
    if (!this.hasRoom(key, symbol, reached)) {
      if (known === undefined) this.leaveOut(symbol, key);
      if (known === undefined && !this.unrecorded.has(symbol))
        this.unrecorded.set(symbol, withoutContents(launch, kernel, reached));
      return undefined;
    }
    const begun = new RecordedLaunch(this.store, launch, kernel, reached);
    if (!this.unfinished.has(symbol)) this.unfinished.set(symbol, withoutContents(launch, kernel, reached));
    return (completed) => {
      this.unfinished.delete(symbol);
      this.end(key, begun, completed);
    };
  }

  /** True for a launch that a recorded one stands for, or that there was no room for. */
  showsNothingNew(launch: DeviceLaunch, kernel: CompiledKernel): boolean {
    const key = this.keyOf(launch, pointersOf(this.store, launch, kernel));
    const known = this.launches.get(key);
    return known === undefined ? this.leftOut.get(launch.kernel)?.has(key) === true : hasChanged(known);
  }

  capture(): Omit<Capture, "skipped"> {
    return {
      launches: this.later.with(this.launches).map((each) => this.stored.told(each)),
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

  /** Whether the limits leave room for a launch, in the place of an equal one. */
  private hasRoom(key: string, kernel: string, reached: Reached): boolean {
    const equal = this.launches.get(key);
    const others = this.recordedOf(kernel).filter((each) => each !== equal);
    return others.length < this.limits.launches && this.hasBytes(reached, equal);
  }

  private hasBytes({ addresses, variables }: Reached, equal?: CapturedLaunch): boolean {
    const places = [...addresses, ...variables.map(([, address]) => address)];
    const before = places.reduce((sum, address) => sum + this.store.sizeAt(address), 0);
    const others = [...this.later.launches(), ...this.launches.values()].filter((each) => each !== equal);
    const kept = others.reduce((sum, launch) => sum + bytesOf(launch), 0);
    return kept + 2 * before <= this.limits.bytes;
  }

  private recordedOf(kernel: string): readonly CapturedLaunch[] {
    return [...this.launches.values()].filter((each) => each.kernel === kernel);
  }

  private leaveOut(kernel: string, key: string): void {
    this.leftOut.set(kernel, (this.leftOut.get(kernel) ?? new Set()).add(key));
  }

  private end(key: string, begun: RecordedLaunch, { warpInstructions }: CompletedLaunch): void {
    const ended = begun.end(warpInstructions);
    this.launches.set(key, { ...ended, count: this.launches.get(key)?.count ?? 1 });
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
    { pointers, addresses }: Pick<Reached, "pointers" | "addresses">,
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
}
