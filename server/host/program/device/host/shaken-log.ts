import { linearAddress } from "../../../../core/vgpu/index";
import type { DeviceStore, MemoryLog } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import type { HostCallCount } from "./host-call-count";
import type { HostLog } from "./host-log";
import { ShakenNumbers } from "./shaken-numbers";
import { joinedSpans, type Span } from "./spans";

/** A log that changes the numbers that host code has stored, before a launch may read them. */
export class ShakenLog implements MemoryLog {
  private readonly numbers = new ShakenNumbers();
  private readonly stored = new Map<bigint, Span[]>();

  constructor(
    private readonly store: DeviceStore,
    private readonly log: HostLog,
  ) {}

  get calls(): HostCallCount {
    return this.log.calls;
  }

  gave(...given: Parameters<MemoryLog["gave"]>): void {
    this.log.gave(...given);
  }

  wrote(start: bigint, stored: Span, changed: Span): void {
    this.stored.set(start, [...(this.stored.get(start) ?? []), stored]);
    this.log.wrote(start, stored, changed);
  }

  acted(...did: Parameters<MemoryLog["acted"]>): void {
    this.log.acted(...did);
  }

  moved(bytes: number): void {
    this.log.moved(bytes);
  }

  settle(launch?: DeviceLaunch): void {
    if (launch !== undefined) for (const [start, spans] of this.stored) this.shake(start, spans);
    this.stored.clear();
    this.log.settle(launch);
  }

  traffic(): ReturnType<HostLog["traffic"]> {
    return { ...this.log.traffic(), shaken: this.numbers.sum() };
  }

  private shake(start: bigint, spans: readonly Span[]): void {
    const { memory } = this.store;
    if (memory.find(start)?.address !== start) return;
    const base = linearAddress(start);
    for (const { from, to } of joinedSpans(spans)) {
      const first = (from + 3) & ~3;
      const bytes = (Math.min(to, this.store.sizeAt(start)) - first) & ~3;
      if (bytes > 0) this.numbers.shake(new Uint8Array(memory.memory.buffer, base + first, bytes));
    }
  }
}
