import { createHash } from "node:crypto";
import { mustGet } from "../../../../core/base/known";
import {
  type CompiledKernel,
  type LaunchOutcome,
  linearAddress,
  type TouchedAllocations,
} from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";
import { concerned, isWithin, KnownTouches } from "./known-touches";
import { SettledLaunches } from "./settled-launches";

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** What a launch did to memory that was in a known state. */
interface Transition {
  readonly outcome: Completed;
  /** The allocations that it changed, with their contents afterwards. */
  readonly changes: readonly {
    readonly address: bigint;
    readonly digest: string;
    readonly bytes: Uint8Array;
  }[];
}

/** Contents of allocations that transitions keep at most; what is beyond is forgotten. */
const mostKeptBytes = 2 ** 28;
const mostTransitions = 4096;
/** With more allocations a state takes longer to name than a small launch to run. */
const mostAllocations = 256;
/**
 * Bytes that are digested in the time of one warp-level instruction (5 ns, of 1.8 GB/s), and the share of all
 * time spent so.
 */
const bytesPerInstruction = 8;
const shareOfWork = 0.25;
/** Instructions that may be spent before the first launch has run: 32 MiB. */
const firstCredit = 2 ** 25 / bytesPerInstruction;

/**
 * Repeats what a launch did when an equal one starts from the same memory, without running it: benchmarks
 * launch one kernel hundreds of times. The same kernel with the same parameters leaves the same bytes where
 * all bytes of device memory are the same before, whatever it reads, so equal digests of all allocations are
 * enough. Of the allocations that a launch touches, where that is known: from the same bytes of these it goes
 * the same way, and so never comes to others. A launch that accumulates or works in place finds other memory
 * each time, and runs.
 *
 * A launch that would leave memory as it is, as the last equal one did, is known without digests.
 *
 * Digests cost time: they are taken only of kernels that were launched before, and for at most a share of the
 * work of all launches so far, less while it does not pay.
 */
export class LaunchReplay {
  private readonly touches = new KnownTouches(mostAllocations);
  private readonly digests = new Map<bigint, string>();
  private readonly transitions = new Map<string, Transition>();
  private keptBytes = 0;
  private credit = firstCredit;
  private misses = 0;
  private readonly settled: SettledLaunches;

  constructor(private readonly store: DeviceStore) {
    this.settled = new SettledLaunches(store);
  }

  /** Call before each launch: looks at what the host has changed, and says whether there is any such. */
  follow(): boolean {
    const { changed } = this.store.memory;
    for (const address of changed) this.digests.delete(address);
    const isChanged = changed.size > 0;
    if (isChanged) this.settled.noteChanged(changed);
    changed.clear();
    return isChanged;
  }

  /** The outcome of a launch that has to be run whatever is known of it. */
  always<Outcome extends LaunchOutcome>(run: () => Outcome): Outcome {
    this.digests.clear();
    this.settled.noteAll();
    this.store.memory.changed.noteLaunch();
    return run();
  }

  /** An earlier launch's outcome, with what that changed, where it began with the memory as it is. */
  known(key: string, kernel: CompiledKernel): Completed | undefined {
    const settled = this.settled.find(key);
    if (settled) return settled;
    if (!this.touches.has(key) || !isFunctionOfMemory(kernel)) return undefined;
    const touched = this.touches.of(key);
    if (!this.canName(touched)) return undefined;
    const known = this.transitions.get(`${key}\n${this.state(touched)}`);
    return known && this.repeat(known);
  }

  /**
   * The outcome of a launch: an earlier one's, with what that changed, or that of `run`. `isLast`: what the
   * launch does is to be learnt whatever that costs, since further ones will not be run.
   */
  launch(key: string, kernel: CompiledKernel, run: () => LaunchOutcome, isLast = false): LaunchOutcome {
    const settled = this.settled.find(key);
    if (settled) return settled;
    const isSeen = this.touches.has(key) || isLast;
    const touched = this.touches.of(key);
    const canName = isSeen && isFunctionOfMemory(kernel) && this.canName(touched, { isLast });
    const before = canName ? this.state(touched) : undefined;
    const name = before === undefined ? "" : `${key}\n${before}`;
    const known = this.transitions.get(name);
    if (known) return this.repeat(known);
    this.store.memory.changed.noteLaunch();
    const outcome = run();
    const digests = new Map(this.digests);
    this.forget(outcome);
    this.settled.noteRun(key, outcome, isFunctionOfMemory(kernel));
    if (outcome.kind !== "refused") this.earn(outcome.warpInstructions);
    const isCompleted = outcome.kind === "completed";
    this.touches.learn(key, isCompleted ? outcome.touched : undefined);
    if (before === undefined || !isCompleted || !isWithin(outcome.touched, touched)) return outcome;
    if (this.canName(touched, { isLast, isBehind: true })) {
      this.state(touched);
      this.keep(name, outcome, digests);
    }
    return outcome;
  }

  /** Drops the digests of what a launch may have changed. */
  private forget(outcome: LaunchOutcome): void {
    const touched = outcome.kind === "completed" ? outcome.touched : undefined;
    if (touched) for (const address of touched.written) this.digests.delete(address);
    else this.digests.clear();
  }

  private repeat({ outcome, changes }: Transition): Completed {
    this.misses = 0;
    for (const { address, digest, bytes } of changes) {
      this.store.memory.write(address, bytes);
      this.digests.set(address, digest);
    }
    this.store.memory.changed.clear();
    this.settled.noteChanged(changes.map(({ address }) => address));
    return outcome;
  }

  private earn(instructions: number): void {
    this.credit += (instructions * shareOfWork) / (1 + this.misses / 8);
  }

  /**
   * Whether there is credit for naming the state of memory. Naming it before a launch is of use only where
   * what the launch makes of it can be named as well.
   */
  private canName(
    touched: TouchedAllocations | undefined,
    { isBehind = false, isLast = false } = {},
  ): boolean {
    const allocations = concerned(this.store.memory.allocations(), touched);
    if (allocations.length > mostAllocations) return false;
    const stale = allocations.filter(({ address }) => !this.digests.has(address));
    if (stale.length === 0 || isLast) return true;
    const changed = touched ? allocations.filter(({ address }) => touched.written.has(address)) : allocations;
    return costOf(stale) + (isBehind ? 0 : costOf(changed)) <= this.credit;
  }

  /** Names the contents of allocations, and the texture and surface objects that are there. */
  private state(touched: TouchedAllocations | undefined): string {
    const allocations = concerned(this.store.memory.allocations(), touched);
    const stale = allocations.filter(({ address }) => !this.digests.has(address));
    this.credit -= costOf(stale);
    for (const { address, bytes } of stale) this.digests.set(address, this.digest(address, bytes));
    const contents = allocations.map(
      ({ address, bytes }) => `${address} ${bytes} ${mustGet(this.digests, address)}`,
    );
    const state = [...contents, ...this.store.memory.images.handles()];
    return createHash("sha256").update(state.join("\n")).digest("base64");
  }

  private digest(address: bigint, bytes: number): string {
    const view = new Uint8Array(this.store.memory.memory.buffer, linearAddress(address), bytes);
    return createHash("sha256").update(view).digest("base64");
  }

  private keep(name: string, outcome: Completed, before: ReadonlyMap<bigint, string>): void {
    this.misses += 1;
    const changed = [...this.digests].filter(([address, digest]) => before.get(address) !== digest);
    const changes = changed.map(([address, digest]) => ({
      address,
      digest,
      bytes: this.store.memory.read(address),
    }));
    const bytes = changes.reduce((sum, change) => sum + change.bytes.byteLength, 0);
    if (bytes > mostKeptBytes) return;
    if (this.keptBytes + bytes > mostKeptBytes || this.transitions.size >= mostTransitions) {
      this.transitions.clear();
      this.keptBytes = 0;
    }
    this.keptBytes += bytes;
    this.transitions.set(name, { outcome, changes });
  }
}

/** Warp-level instructions that run in the time in which allocations are digested. */
function costOf(allocations: readonly { readonly bytes: number }[]): number {
  return allocations.reduce((sum, { bytes }) => sum + bytes, 0) / bytesPerInstruction;
}

/**
 * False for kernels that depend on more than memory, or do more than change it: clocks, text, allocations.
 * Texels are memory, and what a texture or surface object says never changes.
 */
function isFunctionOfMemory({ code }: CompiledKernel): boolean {
  return !code.readsClock && code.systemCalls.size === 0;
}
