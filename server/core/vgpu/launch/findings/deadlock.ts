import { warpLayout } from "../../layout";
import { linearAddress } from "../../memory/device-memory";
import { sharedGap } from "../state/launch-plan";
import type { LaunchState } from "../state/launch-state";
import type { Slots } from "../state/slots";
import type { VirtualClock } from "../state/virtual-clock";

/** Rounds in which every resident block only waited, before the first snapshot. */
const firstLook = 16;
/** Rounds after a snapshot in which an equal state is looked for. */
const period = 4;
/** Rounds until no thread holds a time that it read before the clock was stopped or moved. */
const settling = 2;

/** Hashes of all that determines how a launch continues. */
interface Snapshot {
  readonly blocks: number;
  readonly memory: number;
  readonly round: number;
}

/**
 * Detects that a launch can never end. The order in which threads run depends on memory alone, so a state
 * that recurs recurs for ever. Snapshots are taken after 16, about 32, about 64 … rounds of waiting, and
 * compared with the rounds that follow.
 *
 * If the kernel reads a clock, the clock is stopped while states are compared. A state that recurs may then
 * still end at a later time, so the clock is moved on repeatedly until it has passed what any kernel waits
 * for. Kernels that delay by looping until a clock has moved run into their instruction budget instead.
 */
export class Deadlock {
  private rounds = 0;
  private nextLook = firstLook;
  private snapshot: Snapshot | undefined;

  /** Byte ranges [from, to) of the first slot to compare. */
  private readonly ranges: readonly (readonly [number, number])[];

  constructor(
    private readonly state: LaunchState,
    private readonly slots: Slots,
    private readonly clock: VirtualClock,
  ) {
    this.ranges = slotRanges(state);
  }

  /** Whether the launch is deadlocked. Call once a round in which no block ended and none can start. */
  isCertain(resident: readonly number[]): boolean {
    const { clock, snapshot } = this;
    const { readsClock } = this.state.kernel.code;
    this.rounds += 1;
    if (!snapshot) {
      if (this.rounds >= this.nextLook) this.snapshot = this.take(resident);
      else if (readsClock && this.rounds === this.nextLook - settling) clock.hold();
      return false;
    }
    if (this.hashBlocks(resident) === snapshot.blocks && this.hashMemory() === snapshot.memory) {
      if (!readsClock || clock.isFarAhead) return true;
      clock.advance();
      this.lookAgain(this.rounds + settling);
    } else if (this.rounds >= snapshot.round + period) {
      clock.startOver();
      this.lookAgain(2 * snapshot.round);
    }
    return false;
  }

  private lookAgain(round: number): void {
    this.snapshot = undefined;
    this.nextLook = round + settling;
  }

  private take(resident: readonly number[]): Snapshot {
    return { blocks: this.hashBlocks(resident), memory: this.hashMemory(), round: this.rounds };
  }

  /** Registers, program counters, local and shared memory of the resident blocks. */
  private hashBlocks(resident: readonly number[]): number {
    const { state } = this;
    const { buffer } = state.view;
    let hash = resident.length;
    for (const slot of resident) {
      for (const words of this.slots.wordsOf(slot))
        hash = mix(hash, new Int32Array(words.buffer, words.byteOffset, words.length >> 2));
      const at = state.base + slot * state.plan.slotBytes;
      for (const [from, to] of this.ranges)
        hash = mix(hash, new Int32Array(buffer, at + from, (to - from) >> 2));
    }
    return hash;
  }

  /** All allocations in global memory. */
  private hashMemory(): number {
    const { memory } = this.state.request;
    return memory
      .allocations()
      .reduce(
        (hash, { address, bytes }) =>
          mix(hash, new Int32Array(memory.memory.buffer, linearAddress(address), Math.ceil(bytes / 4))),
        0,
      );
  }
}

/**
 * Shared memory, warps and local memory of the first slot, without the detectors' vector clocks, which grow
 * at every barrier.
 */
function slotRanges({ plan, kernel }: LaunchState): readonly (readonly [number, number])[] {
  const { warpBytes } = kernel.code;
  const warps = Array.from({ length: plan.warpCount }, (_, index) => plan.warps + index * warpBytes);
  return [
    [plan.shared, plan.warps],
    ...warps.flatMap(
      (warp) =>
        [
          [warp, warp + warpLayout.known],
          [warp + warpLayout.registers, warp + warpBytes],
        ] as const,
    ),
    [plan.local, plan.shared + plan.slotBytes - sharedGap],
  ];
}

/**
 * A running 32-bit hash: a multiplication by an odd constant and a shift for each word. The loop is indexed,
 * since iterating over a typed array takes about ten times as long.
 */
function mix(start: number, words: Int32Array): number {
  let hash = start;
  for (let index = 0; index < words.length; index += 1) {
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
