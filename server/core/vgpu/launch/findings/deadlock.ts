import { linearAddress } from "../../memory/device-memory";
import { warpLayout } from "../../layout";
import { type Machine, sharedGap } from "../machine/machine";
import type { Slots } from "../machine/slots";

/** Rounds in which every resident block only waited, before states are compared for the first time. */
const firstLook = 16;
/** Rounds after a look in which the same state is looked for. */
const period = 4;
/** Rounds after which no thread remembers what the clock said before it was stopped or set on. */
const settling = 2;

interface State {
  readonly blocks: number;
  readonly memory: number;
}

/**
 * Tells that a launch can never end. Threads run in an order that only depends on what is in memory, so that
 * a state which comes again comes for ever. States are looked at after 16, about 32, about 64 … rounds of
 * waiting and compared with the few rounds that follow. Where a kernel reads a clock, the clock stands still
 * meanwhile; a state that comes again may then still end at some time, so that the clock is set on, again and
 * again, until it has passed what any kernel waits for. Kernels that pause by going round until a clock has
 * moved are left to their budget.
 */
export class Deadlock {
  private rounds = 0;
  private nextLook = firstLook;
  private known: { readonly state: State; readonly round: number } | undefined;

  /** From inclusive to exclusive, of the first slot. */
  private readonly pieces: readonly (readonly [number, number])[];

  constructor(
    private readonly machine: Machine,
    private readonly slots: Slots,
  ) {
    this.pieces = this.piecesOfSlot();
  }

  /** To be asked once a round, when no block has ended or can be started. */
  isCertain(resident: readonly number[]): boolean {
    const {
      clock,
      kernel: {
        code: { readsClock },
      },
    } = this.machine;
    this.rounds += 1;
    const { known, rounds } = this;
    if (known && this.blocks(resident) === known.state.blocks && this.memory() === known.state.memory) {
      if (!readsClock || clock.isFarAhead) return true;
      clock.setOn();
      this.lookAgain(rounds + settling);
    } else if (known && rounds >= known.round + period) {
      clock.startOver();
      this.lookAgain(2 * known.round);
    } else if (!known && rounds >= this.nextLook) {
      this.known = { state: { blocks: this.blocks(resident), memory: this.memory() }, round: rounds };
    } else if (readsClock && rounds === this.nextLook - settling) {
      clock.hold();
    }
    return false;
  }

  private lookAgain(round: number): void {
    this.known = undefined;
    this.nextLook = round + settling;
  }

  /** Registers, local and shared memory of the resident blocks, and where each of their warps is. */
  private blocks(resident: readonly number[]): number {
    const { machine } = this;
    const {
      layout,
      view: { buffer },
    } = machine;
    let hash = resident.length;
    for (const slot of resident) {
      for (const words of this.slots.wordsOf(slot))
        hash = mix(hash, new Int32Array(words.buffer, words.byteOffset, words.length >> 2));
      const at = machine.base + slot * layout.slotBytes;
      for (const [from, to] of this.pieces)
        hash = mix(hash, new Int32Array(buffer, at + from, (to - from) >> 2));
    }
    return hash;
  }

  /**
   * Shared memory, warps and local memory of the first slot, without the detectors' numbers, which grow with
   * every barrier.
   */
  private piecesOfSlot(): readonly (readonly [number, number])[] {
    const {
      layout,
      kernel: {
        code: { warpBytes },
      },
    } = this.machine;
    const warps = Array.from({ length: layout.warpCount }, (_, index) => layout.warps + index * warpBytes);
    return [
      [layout.shared, layout.warps],
      ...warps.flatMap(
        (warp) =>
          [
            [warp, warp + warpLayout.known],
            [warp + warpLayout.registers, warp + warpBytes],
          ] as const,
      ),
      [layout.local, layout.shared + layout.slotBytes - sharedGap],
    ];
  }

  private memory(): number {
    const { memory } = this.machine.request;
    return memory
      .allocations()
      .reduce(
        (hash, { address, bytes }) =>
          mix(hash, new Int32Array(memory.memory.buffer, linearAddress(address), Math.ceil(bytes / 4))),
        0,
      );
  }
}

/** A running 32-bit hash (multiplication by an odd constant and a rotation a word). */
function mix(start: number, words: Int32Array): number {
  let hash = start;
  for (let index = 0; index < words.length; index += 1) {
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
