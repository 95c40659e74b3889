import type { LaunchOutcome, TouchedAllocations } from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** A launch whose effect stands in memory, as long as nobody has changed what it touched. */
interface Settled {
  readonly outcome: Completed;
  /** Addresses and sizes of the allocations that it read or wrote. */
  readonly touched: readonly { readonly address: bigint; readonly bytes: number }[];
  /** When it had ended. */
  readonly since: number;
}

const mostSettled = 4096;

/**
 * Knows launches that would do nothing: one that has read none of the allocations that it wrote writes the
 * same to the same places again, where nobody has changed any of them, or what it read, since it ended. That
 * takes no look at their bytes.
 */
export class SettledLaunches {
  private readonly settled = new Map<string, Settled>();
  /** When each allocation was changed, and when any of them may have been. */
  private readonly changes = new Map<bigint, number>();
  private everything = 0;
  private now = 0;

  constructor(private readonly store: DeviceStore) {}

  /** Call with what the host, or a repeated launch, has written to. */
  noteChanged(addresses: Iterable<bigint>): void {
    this.now += 1;
    for (const address of addresses) this.changes.set(address, this.now);
  }

  /** Call after a launch of which nothing is known. */
  noteAll(): void {
    this.now += 1;
    this.everything = this.now;
    this.settled.clear();
  }

  /** Call after each launch that was run. `isFunction`: what it does depends on memory alone. */
  noteRun(key: string, outcome: LaunchOutcome, isFunction: boolean): void {
    this.settled.delete(key);
    if (outcome.kind !== "completed" || !outcome.touched) {
      this.noteAll();
      return;
    }
    const { read, written } = outcome.touched;
    this.noteChanged(written);
    if (!isFunction || readsItsOutput(outcome.touched)) return;
    const touched: Settled["touched"][number][] = [];
    for (const address of new Set([...read, ...written])) {
      const bytes = this.sizeOf(address);
      if (bytes === undefined) return;
      touched.push({ address, bytes });
    }
    if (this.settled.size >= mostSettled) this.settled.clear();
    this.settled.set(key, { outcome, touched, since: this.now });
  }

  /** The outcome of a launch that would leave memory as it is. */
  find(key: string): Completed | undefined {
    const found = this.settled.get(key);
    if (!found || this.everything > found.since) return undefined;
    const isSame = found.touched.every(
      ({ address, bytes }) =>
        (this.changes.get(address) ?? 0) <= found.since && this.sizeOf(address) === bytes,
    );
    return isSame ? found.outcome : undefined;
  }

  /** Bytes of the live allocation that begins there. */
  private sizeOf(address: bigint): number | undefined {
    const found = this.store.memory.find(address);
    return found && !found.freed && found.address === address ? found.bytes : undefined;
  }
}

function readsItsOutput({ read, written }: TouchedAllocations): boolean {
  for (const address of written) if (read.has(address)) return true;
  return false;
}
