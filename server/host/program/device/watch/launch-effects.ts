import { createHash } from "node:crypto";
import type { LastContent } from "../../../../core/ports/entry-programs";
import { type CompiledKernel, linearAddress, type TouchedAllocations } from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import { pointersOf } from "./launch-pointers";

/** What a launch that has completed did. */
export interface CompletedLaunch {
  /** That its warps have executed. */
  readonly warpInstructions: number;
  /** Left out where that is not known. */
  readonly touched?: TouchedAllocations | undefined;
}

/**
 * To be called when a launch has completed: whether it counts. One that changes nothing that its parameters
 * and symbols reach, or finds all of it as an equal launch has found it, repeats what was done.
 */
export type EndOfLaunch = (completed: CompletedLaunch) => boolean;

interface Held {
  readonly address: bigint;
  /** It has a size that is asked for. */
  readonly isWatched: boolean;
  isFreed: boolean;
  /** Once it is freed, where it is watched. */
  content?: Uint8Array;
  /** When the program read it last. */
  shown?: Uint8Array;
  isPassedOn: boolean;
  readonly writers: Map<string, LastContent["writers"][number]>;
}

/**
 * What a program's launches leave: the last contents of allocations of certain sizes, and what of any size
 * the program has read, with the kernels that changed it; and which launches repeat what an earlier one did.
 */
export class LaunchEffects {
  private readonly seen = new Set<string>();
  private readonly held: Held[] = [];

  /** `watched`: sizes in bytes. */
  constructor(
    private readonly store: DeviceStore,
    private readonly watched: readonly number[],
  ) {}

  allocated(address: bigint, bytes: number): void {
    const isWatched = this.watched.includes(bytes);
    this.held.push({ address, isWatched, isFreed: false, isPassedOn: false, writers: new Map() });
  }

  /** To be called before the memory is gone. */
  freeing(address: bigint): void {
    const held = this.liveAt(address);
    if (held === undefined) return;
    held.isFreed = true;
    if (held.isWatched) held.content = this.store.memory.read(address);
  }

  /** What no kernel has changed shows nothing. */
  reading(address: bigint): void {
    const held = this.liveAt(address);
    if (held !== undefined && held.writers.size > 0) held.shown = this.store.memory.read(address);
  }

  begin(launch: DeviceLaunch, kernel: CompiledKernel): EndOfLaunch {
    const { pointers, addresses } = pointersOf(this.store, launch, kernel);
    const symbols = [...kernel.code.symbols].flatMap((name) => {
      const address = this.store.memory.symbol(kernel.code.ptx, name);
      return address === undefined ? [] : [address];
    });
    const reached = [...addresses, ...symbols];
    const before = reached.map((address) => this.digest(address));
    const key = JSON.stringify([
      ...[launch.kernel, launch.grid, launch.block, launch.dynamicSharedBytes],
      Buffer.from(launch.parameters).toString("base64"),
      before,
    ]);
    const isKnown = this.seen.has(key);
    this.seen.add(key);
    return () => {
      const changed = reached.filter((address, index) => this.digest(address) !== before[index]);
      for (const address of changed) {
        const buffer = addresses.indexOf(address);
        const places = pointers.filter((pointer) => pointer.buffer === buffer).map(({ at }) => at);
        this.note(
          address,
          launch.kernel,
          places.map((at) => parameterAt(kernel, at)),
        );
      }
      for (const address of addresses) if (!changed.includes(address)) this.pass(address);
      return changed.length > 0 && !isKnown;
    };
  }

  /** Of what is watched or was read, in the order in which it was allocated. */
  contents(): readonly LastContent[] {
    return this.held.flatMap(({ address, isWatched, content, shown, isPassedOn, writers }) => {
      const last = isWatched ? (content ?? this.store.memory.read(address)) : shown;
      const read = shown === undefined ? {} : { shown };
      return last === undefined
        ? []
        : [{ content: last, ...read, isPassedOn, writers: [...writers.values()] }];
    });
  }

  /** A kernel was handed an allocation and left it as it was. */
  private pass(address: bigint): void {
    const held = this.liveAt(address);
    if (held !== undefined && held.writers.size > 0) held.isPassedOn = true;
  }

  /** A kernel changed an allocation by some of its parameters. */
  private note(address: bigint, kernel: string, parameters: readonly number[]): void {
    const held = this.liveAt(address);
    for (const parameter of parameters)
      held?.writers.set(JSON.stringify([kernel, parameter]), { kernel, parameter });
  }

  private liveAt(address: bigint): Held | undefined {
    return this.held.findLast((each) => each.address === address && !each.isFreed);
  }

  private digest(address: bigint): string {
    const { memory } = this.store;
    const found = memory.find(address);
    const bytes = found === undefined ? 0 : found.bytes;
    const view = new Uint8Array(memory.memory.buffer, linearAddress(address), bytes);
    return createHash("sha1").update(view).digest("base64");
  }
}

/** The parameter that a byte of the parameter block belongs to. */
function parameterAt({ parameters }: CompiledKernel, at: number): number {
  return parameters.findIndex(({ offset, size }) => at >= offset && at < offset + size);
}
